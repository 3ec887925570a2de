/* SPDX-License-Identifier: MIT */
/* Where leaders meet, inside of this folder: a slot for each cluster, and what the gate's meetings
 * share. */
#ifndef MPIUTIL_SEGMENT_LEADERS_H
#define MPIUTIL_SEGMENT_LEADERS_H

#include <base/link.h>

#include "segment/multicasts.h"
#include "segment/sleep.h"

/* What a leader says and gives. What fits lies in the line in which it says so; more begins, behind
 * its head, with the next line, as one that others look at all the time should be written to only
 * once, at the end. */
#define NEAR 16
struct leader_turn {
    /* The call that its leader is, or was at (mpu_at_call); 0: none. Read at any time. */
    _Alignas(KERN_LINE) _Atomic uint32_t at;
    struct mpu_signature said;
    _Alignas(NEAR) uint8_t operand[NEAR + MPU_SEGMENT_HEAD + MPU_SEGMENT_BYTES];
};

struct leader_slot {
    _Alignas(KERN_LINE) mpu_word asleep[MPU_SLEEPS_FOR]; /* how many of the cluster sleep */
    struct leader_turn turn[2];                          /* for one meeting and the next */
};

struct mpu_leaders {
    struct mpu_gate gate;
    _Alignas(KERN_LINE) mpu_word asleep[MPU_SLEEPS_FOR]; /* how many sleep, of all clusters */
    struct mpu_outcome outcome;
    _Alignas(16) uint8_t result[MPU_SEGMENT_BYTES];
    struct leader_slot slot[]; /* by cluster, as the segments number them */
};

/* Whether somebody sleeps for it. */
static inline bool mpu_any_sleeps(const struct mpu_segment *s, enum mpu_sleeps_for reason)
{
    return atomic_load(&s->shared->asleep[reason]) != 0;
}

/* The latest call that a leader is, or was, at: mpu_at_call. */
static inline uint32_t leader_latest(const struct leader_slot *slot)
{
    uint32_t a = atomic_load(&slot->turn[0].at), b = atomic_load(&slot->turn[1].at);
    return mpu_later(a, b) ? a : b;
}

/* If s->each (leaders_each.c): waits until it may fill in its turn, false: it left; waits for those
 * that it needs; wakes who sleeps until this one is here. */
struct mpu_each {
    bool (*begin)(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v);
    enum mpu_met (*arrive)(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v);
    void (*wake)(struct mpu_segment *s, const struct mpu_rank *r);
};

/* What the multicasts of a communicator have in shared memory, in whole lines. */
static inline size_t mpu_multicasts_bytes(int ranks)
{
    size_t bytes = sizeof(struct mpu_multicasts) + (size_t)ranks * sizeof(uint32_t);
    return (bytes + KERN_LINE - 1) / KERN_LINE * KERN_LINE;
}

/* Nobody is at a meeting there any more; or at a multicast, if the program has those. */
void mpu_leaders_wipe(struct mpu_segment *s);
B_IF_LINKED void mpu_multicasts_wipe(struct mpu_segment *s);

#endif
