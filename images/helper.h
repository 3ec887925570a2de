/* SPDX-License-Identifier: MIT */
/* The helper of a process that is one rank: helper.c. */
#ifndef IMAGE_HELPER_H
#define IMAGE_HELPER_H

struct mpu_rank;

/* Starts it, if it is asked for, can be, and does not run; before the program has other threads. If
 * the host gives no thread, there is none. */
void image_helper_start(struct mpu_rank *r);

/* The caller has the turn and goes into MPI; it has it still and leaves MPI. */
void image_helper_back(void);
void image_helper_away(void);

/* The rank ends; waits for the helper's end. On a thread that has not the turn. */
void image_helper_stop(void);

#endif
