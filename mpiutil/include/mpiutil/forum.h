/* SPDX-License-Identifier: MIT */
/* A forum is where the ranks of a communicator meet in the memory that all clusters of the machine
 * share (sys/k_board.h), if there is any:
 *
 *     each rank     writes what it gives, arrives
 *     the last one  reads what was given, writes the result, releases all
 *
 * There are no messages, nobody waits for a particular rank, and a rank that waits is woken once.
 * A rank arrives once for each release. From any thread of a rank; never waits. */
#ifndef MPIUTIL_FORUM_H
#define MPIUTIL_FORUM_H

#include <stdbool.h>
#include <stdint.h>

#include <mpiutil/message.h>

#define MPU_FORUM_BYTES 512 /* most that a rank gives, and that a result has */

/* What a rank calls; of a result, what the last one found. Numbers only: ranks have their own
 * addresses. */
struct mpu_motion {
    uint32_t kind; /* 0: none */
    int32_t root;
    uint64_t op, bytes;
};

struct mpu_forum;

/* How many there can be at a time; 0: the machine has no memory for them. The same answer in the
 * whole job. */
int mpu_forum_count(void);

/* A free forum: its number, for the ranks that are to meet there; -B_ENOMEM: there is none. */
int mpu_forum_take(void);

/* The forum of a number, which may have come from another rank; NULL: there is no such number. */
struct mpu_forum *mpu_forum_at(int number);

/* The caller, one of `members`, never comes again; after the last of them it is free. */
void mpu_forum_leave(int number, int members);

/* Where member `me` writes what it gives, before it arrives; it may again after the release. */
void *mpu_forum_place(struct mpu_forum *f, int me);

/* Rank r, of comm, arrives with its motion. True: it is the last one, and the others wait for its
 * mpu_forum_release. */
bool mpu_forum_arrive(struct mpu_forum *f, struct mpu_rank *r, const struct mpu_comm *comm,
                      const struct mpu_motion *m);

/* The last one: what member i called and gave. */
const struct mpu_motion *mpu_forum_motion(const struct mpu_forum *f, int i);
const void *mpu_forum_given(const struct mpu_forum *f, int i);

/* The last one writes the result there, all others read it until they arrive again. */
void *mpu_forum_result(struct mpu_forum *f);

/* The last one lets the others go. */
void mpu_forum_release(struct mpu_forum *f, const struct mpu_rank *r, const struct mpu_comm *comm,
                       const struct mpu_motion *result);

/* The others: are they let go? A rank that waits (mpu_until) is woken when it is. */
bool mpu_forum_released(struct mpu_forum *f, struct mpu_rank *r);
const struct mpu_motion *mpu_forum_outcome(const struct mpu_forum *f);

#endif
