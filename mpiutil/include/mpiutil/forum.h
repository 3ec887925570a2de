/* SPDX-License-Identifier: MIT */
/* A forum is where the ranks of a communicator meet in the memory that all clusters of the machine
 * share (sys/k_board.h), if there is any:
 *
 *     each rank     writes what it gives, arrives
 *     the last one  reads what was given, writes the result, releases all
 *
 * There are no messages, nobody waits for a particular rank, and a rank that waits is woken once.
 * A rank arrives once for each release. From any thread of a rank; only mpu_forum_arrive waits. */
#ifndef MPIUTIL_FORUM_H
#define MPIUTIL_FORUM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <base/config.h>
#include <mpiutil/message.h>

#define MPU_FORUM_BYTES 512 /* most that a rank gives, and that a result has */

/* What a rank says when it arrives, as in a hall, but in numbers: ranks have their own addresses.
 * A release tells the same; kind 0: they said different things. */
struct mpu_motion {
    uint64_t kind, bytes, terms;
    uint64_t number; /* of the operation, as all ranks count them */
};

/* Its member writes it before it arrives; the last one of all reads it until the release. */
struct mpu_forum_seat {
    _Alignas(KERN_LINE) struct mpu_motion motion;
    _Atomic uint32_t asleep; /* its member must be told of the release; read at any time */
    _Alignas(16) uint8_t given[MPU_FORUM_BYTES];
};

/* outcome and result: the last one writes them before the release; the others read them until they
 * arrive again. */
struct mpu_forum {
    _Alignas(KERN_LINE) _Atomic uint32_t arrived; /* members; above 16 bits the releases before */
    _Atomic uint32_t left;                        /* members that never come again */
    _Alignas(KERN_LINE) _Atomic uint32_t release; /* how often they were let go */
    struct mpu_motion outcome;
    _Alignas(16) uint8_t result[MPU_FORUM_BYTES];
    struct mpu_forum_seat seat[]; /* by rank in the communicator */
};

/* Bytes of the board that the forums of a machine with so many clusters take. */
size_t mpu_forums_bytes(int clusters);

/* The forum of a number, which may have come from another rank; NULL: there is no such number. 0:
 * there is one if the machine has memory for any; the same answer in the whole job. */
struct mpu_forum *mpu_forum_at(int number);

/* A free forum: its number, for the ranks that are to meet there; -B_ENOMEM: there is none. */
int mpu_forum_take(void);

/* The caller, one of `members`, never comes again; after the last of them it is free. */
void mpu_forum_leave(int number, int members);

/* Rank r, of comm, arrives; its seat is filled in. LAST: it is the last one, and the others wait
 * for its mpu_forum_release; else it waits for that. `doubts` is asked wherever it was woken
 * before: true: it leaves, if not all have arrived; then it is not counted. */
enum mpu_forum_end { MPU_FORUM_RELEASED, MPU_FORUM_LAST, MPU_FORUM_LEFT };
enum mpu_forum_end mpu_forum_arrive(struct mpu_forum *f, struct mpu_rank *r,
                                    const struct mpu_comm *comm, bool (*doubts)(void *arg),
                                    void *arg);
void mpu_forum_release(struct mpu_forum *f, const struct mpu_rank *r, const struct mpu_comm *comm);

#endif
