/* SPDX-License-Identifier: MIT */
/* Where leaders meet, inside of this folder: a slot for each cluster, and what the gate's meetings
 * share. */
#ifndef MPIUTIL_SEGMENT_LEADERS_H
#define MPIUTIL_SEGMENT_LEADERS_H

#include <stddef.h>

#include <base/assert.h>
#include <base/link.h>

#include "segment/multicasts.h"
#include "segment/sleep.h"

/* What a leader tells and gives for one call. What fits lies in the line in which it says so; more
 * begins, behind its head, with the next line, as one that others look at all the time should be
 * written to only once, at the end. */
#define NEAR 24
struct leader_entry {
    /* The call that its leader is, or was at (mpu_at_call); 0: none. Read at any time. */
    _Alignas(KERN_LINE) _Atomic uint32_t at;
    struct mpu_signature signature;
    uint8_t operand[NEAR + MPU_SEGMENT_HEAD + MPU_SEGMENT_BYTES];
};
_Static_assert(offsetof(struct leader_entry, operand) + NEAR == KERN_LINE, "the line is full");

/* Where in `operand`: elements of 16 bytes lie at a multiple of that. */
static inline uint32_t leader_operand_at(const struct mpu_visit *v)
{
    b_assert(v->head <= v->given && v->head <= 16);
    return v->given <= 16 ? NEAR - 16 : v->given <= NEAR ? 0 : NEAR - v->head;
}

struct leader_slot {
    _Alignas(KERN_LINE) mpu_word asleep[MPU_SLEEPS_FOR]; /* how many of the cluster sleep */
    struct leader_entry entry[2];                        /* for one meeting and the next */
};

struct mpu_leaders {
    struct mpu_gate gate;
    _Atomic uint32_t channels; /* those that were used, as bits: segment/channel.c */
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
    uint32_t a = atomic_load(&slot->entry[0].at), b = atomic_load(&slot->entry[1].at);
    return mpu_later(a, b) ? a : b;
}

/* What a leader waits for: that it may fill in its entry, or that the others are there. */
struct mpu_leader_wait {
    struct mpu_await await;
    union {
        uint32_t seen; /* the gate was opened so many times before it came */
        int next;      /* s->each: those before it need not be looked at any more */
    };
    uint32_t last_at; /* s->each: the call that it was at before */
};

/* If s->each (leaders_each.c): waits until it may fill in its entry, false: it left; says in w what
 * it waits for when it has; takes that back; wakes who sleeps until this one is here. */
struct mpu_each {
    bool (*begin)(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v);
    void (*come)(struct mpu_leader_wait *w);
    void (*withdraw)(struct mpu_leader_wait *w);
    void (*wake)(struct mpu_segment *s, const struct mpu_rank *r);
    void (*wipe)(struct mpu_segment *s); /* nobody meets there any more, each for itself or not */
};

/* mpu_leaders_arrive but for the wait. True: the leader is the last one at the gate, and closes
 * the meeting. False: it waits for w->await; then mpu_leaders_came; or it left, if v is
 * cancelled. */
bool mpu_leaders_come(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v,
                      struct mpu_leader_wait *w);
enum mpu_met mpu_leaders_came(struct mpu_segment *s, const struct mpu_visit *v);

/* Of a leader that has come, to a call that no leader can end well, and does not wait any more: it
 * is as if it had not come. False: all have come to the gate; it has to see it opened before it
 * comes again. */
bool mpu_leaders_withdraw(struct mpu_leader_wait *w);

/* What the multicasts of a communicator have in shared memory, in whole lines. */
static inline size_t mpu_multicasts_bytes(int ranks)
{
    return mpu_lines(sizeof(struct mpu_multicasts) + (size_t)ranks * sizeof(uint32_t));
}

/* Of a place where so many leaders meet. */
static inline size_t mpu_leaders_place_bytes(int clusters)
{
    return sizeof(struct mpu_leaders) + (size_t)clusters * sizeof(struct leader_slot);
}

/* Nobody is at a meeting there any more; or at a multicast, or in a channel, if the program has
 * those. */
void mpu_leaders_wipe(struct mpu_segment *s);
B_IF_LINKED void mpu_multicasts_wipe(struct mpu_segment *s);
B_IF_LINKED void mpu_channels_wipe(struct mpu_segment *s);

#endif
