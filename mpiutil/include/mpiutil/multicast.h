/* SPDX-License-Identifier: MIT */
/* A multicast: the root gives data that all other ranks of a communicator take, out of memory that
 * their clusters share (segment.h, s->shared):
 *
 *     root --fills an entry--> | n - 2 | n - 1 | n |  --all others copy--> ...
 *
 * Multicasts have consecutive numbers, and each has an entry, with its data up to MPU_CAST_ENTRY
 * bytes, and a slot, for what is longer. Entries and slots are used in turn, so a root runs ahead
 * of those who read: it waits only for ranks that are as many calls behind it as there are entries,
 * or slots. Before the first multicast it waits until all ranks know where they meet.
 *
 *     up to MPU_CAST_ENTRY bytes  in the entry
 *     up to MPU_CAST_SLOT bytes   in the slot
 *     up to MPU_CAST_WHOLE bytes  in all slots, if the data can only be given as a whole
 *     more                        in chunks through all slots: one is filled again when all have
 *                                 copied what it had
 *
 * docs/collectives.md, In shared memory. */
#ifndef MPIUTIL_MULTICAST_H
#define MPIUTIL_MULTICAST_H

#include <mpiutil/segment.h>

#define MPU_CAST_ENTRY 1048
#define MPU_CAST_SLOT  65536
#define MPU_CAST_WHOLE (8 * MPU_CAST_SLOT)

/* Of a rank and communicator, zero at first: what it has told of where it is, and up to where it
 * need not look where the others are. */
struct mpu_cast_place {
    uint32_t told, free;
};

/* One multicast, as a rank sees it. */
struct mpu_cast {
    uint32_t number; /* of the call: those of a communicator are made in one order by all ranks */
    int rank, root;  /* in the communicator */
    struct mpu_visit *visit; /* its signature goes with the data; `left` is filled in */
    uint64_t bytes;          /* of the data */
    bool whole; /* no more than MPU_CAST_WHOLE of them; then the root alone need know how many */
    struct mpu_cast_place *place;
    void *run; /* the data, if it is one run of bytes; NULL: it does not */
    /* The root writes n bytes from `at` on of its data to `chunk`; others read them from there.
     * All of `bytes` at once if the data are given as a whole. */
    void (*move)(void *data, uint64_t at, uint64_t n, void *chunk);
    void *data;
    uint16_t mark;              /* of the root's elements: the root says it, others get it */
    struct mpu_outcome outcome; /* filled in: whether this rank and the root say the same */
};

/* Gives or takes the data. False: the rank has left it, as its wait was cancelled (visit->left), or
 * another rank has another signature (the outcome), or is root, too. Waits. */
bool mpu_multicast(struct mpu_segment *s, struct mpu_rank *r, struct mpu_cast *c);

/* The multicasts of a communicator's nonblocking operations, where it has channels (channel.h):
 * with numbers, memory and a place of their own, one under way at a time. None of these functions
 * waits; they are called in steps of its flow. */
struct mpu_caster;

/* WAITS: the next step of the flow goes on with it. FAILED: as mpu_multicast. */
enum mpu_cast_state { MPU_CAST_WAITS, MPU_CAST_DONE, MPU_CAST_FAILED };

/* Once, before the first call: this rank, of the communicator, has come, and has done all calls
 * before `number`. Roots wait until all have, so a rank comes with its first operation there, of
 * whatever kind. */
void mpu_caster_come(struct mpu_caster *k, int rank, uint32_t number);

/* Begins c, whose `place` is filled in, and which stays until it is over. */
enum mpu_cast_state mpu_caster_begin(struct mpu_caster *k, struct mpu_cast *c);
enum mpu_cast_state mpu_caster_go_on(struct mpu_caster *k);

/* Of one that waits. leave: its operation was broken; the flow goes on. hurry: others wait for what
 * this rank does afterwards: the wait must end while the program computes, too. */
void mpu_caster_leave(struct mpu_caster *k);
void mpu_caster_hurry(struct mpu_caster *k);

#endif
