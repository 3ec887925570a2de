/* SPDX-License-Identifier: MIT */
/* The helper of a process that is one rank: helper.c. All but the first and the last: by who has
 * the turn (threads.h). */
#ifndef PROCESS_HELPER_H
#define PROCESS_HELPER_H

#include <stdbool.h>

struct mpu_rank;

/* The rank may have one, where that can be; before the program has other threads. True: it is armed
 * from now on. */
bool image_helper_allow(struct mpu_rank *r);

/* While it is armed each call of MPI takes the turn. */
bool image_helper_armed(void);

/* The caller goes into MPI. It leaves MPI, and arms the helper if something is under way that needs
 * it, or disarms it; true: it is armed. */
void image_helper_back(void);
bool image_helper_away(void);

/* The rank ends; waits for the helper's end. On the rank's thread. */
void image_helper_stop(void);

#endif
