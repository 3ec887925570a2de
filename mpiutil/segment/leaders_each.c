/* SPDX-License-Identifier: MIT */
/* How few leaders, each with a processor of its own, meet without a gate.
 *
 * Whoever arrives fills in its turn of its slot, says so there, and looks at the slots of all
 * others until they have, too. A slot has two turns, used one after the other: before a leader
 * fills in one again it has seen all others come to the call in between, or to a later one, so
 * nobody reads it any more, as who is at a call reads nothing of one before. Who left a call to
 * which it had not seen all come waits for that. A leader may have left a call before it was there,
 * so turns of leaders may differ, and a leader's is the one that bears the call's number. */

#include <base/fence.h>

#include "progress/progress.h"
#include "segment/leaders.h"

enum { NONE = -1 };

/* In which turn a leader is at the call, probably `turn`; NONE: it is elsewhere. */
static int turn_at(const struct leader_slot *slot, uint32_t at, int turn)
{
    if (atomic_load(&slot->turn[turn].at) == at)
        return turn;
    return atomic_load(&slot->turn[!turn].at) == at ? !turn : NONE;
}

/* The turn in which a leader says where it is: at this call; or at a later one, if it was somewhere
 * else meanwhile, and so differs from the visitor. It stays at that until the visitor has come: if
 * it has been at this call, too, it is found there after it is seen at the later one. NONE: it is
 * to come. */
static int turn_from(const struct leader_slot *slot, uint32_t at, int own)
{
    int turn = turn_at(slot, at, own);
    if (turn != NONE)
        return turn;
    uint32_t latest = leader_latest(slot);
    if (!mpu_later(latest, at))
        return NONE;
    turn = turn_at(slot, at, own);
    return turn != NONE ? turn : turn_at(slot, latest, own);
}

/* All are here. Whoever has written its turn changes the gate's word if any sleep, as they cannot
 * know which turn it is. */
static mpu_word *not_here(struct mpu_await *a)
{
    struct mpu_segment *s = a->segment;
    struct mpu_leader_wait *w = (struct mpu_leader_wait *)a;
    for (; w->next < s->clusters; w->next++) {
        int turn = turn_from(&s->shared->slot[w->next], s->last_at, !s->turn);
        if (turn == NONE)
            return &s->shared->gate.opened;
        s->found[w->next] = (uint8_t)turn;
    }
    s->seen_at = s->last_at;
    return NULL;
}

/* All have come to the call before: nobody reads the turn any more that is to be filled in. */
static mpu_word *turn_read(struct mpu_await *a)
{
    struct mpu_segment *s = a->segment;
    struct mpu_leader_wait *w = (struct mpu_leader_wait *)a;
    for (; w->next < s->clusters; w->next++)
        if (mpu_later(s->last_at, leader_latest(&s->shared->slot[w->next])))
            return &s->shared->gate.opened;
    s->seen_at = s->last_at;
    return NULL;
}

static void wake_others(struct mpu_segment *s, const struct mpu_rank *r)
{
    if (!mpu_any_sleeps(s, MPU_FOR_LEADERS))
        return;
    atomic_fetch_add(&s->shared->gate.opened, 1);
    mpu_tell(s, r, MPU_FOR_LEADERS);
}

/* Its own turn may be what others wait for. */
static void before_sleep(struct mpu_await *a)
{
    b_fence();
    wake_others(a->segment, a->rank);
}

static const struct mpu_awaited all_have_read = {MPU_FOR_LEADERS, turn_read, NULL, before_sleep};
static const struct mpu_awaited all_are_here = {MPU_FOR_LEADERS, not_here, NULL, before_sleep};

static bool begin(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct mpu_leader_wait w = {.await = {s, r, v, &all_have_read, NULL, 0}};
    return s->seen_at == s->last_at || mpu_await_word(&w.await);
}

static void come(struct mpu_leader_wait *w)
{
    struct mpu_segment *s = w->await.segment;
    w->await.awaited = &all_are_here;
    w->next = 0;
    w->last_at = s->last_at;
    s->last_at = mpu_at_call(w->await.visit->signature.number);
    s->turn = !s->turn;
}

/* All were at the call before, which ended well. */
static void withdraw(struct mpu_leader_wait *w)
{
    struct mpu_segment *s = w->await.segment;
    s->turn = !s->turn;
    s->last_at = s->seen_at = w->last_at;
}

/* The gate counts no arrivals here, but was opened for those that slept. */
void mpu_turns_wipe(struct mpu_segment *s)
{
    mpu_gate_clear(&s->shared->gate);
    for (int i = 0; i < s->clusters && s->each; i++)
        for (int turn = 0; turn < 2; turn++)
            atomic_store_explicit(&s->shared->slot[i].turn[turn].at, 0, memory_order_relaxed);
}

static void wipe(struct mpu_segment *s)
{
    mpu_turns_wipe(s);
    if (mpu_multicasts_wipe)
        mpu_multicasts_wipe(s);
    if (mpu_channels_wipe)
        mpu_channels_wipe(s);
}

const struct mpu_each mpu_each = {begin, come, withdraw, wake_others, wipe};
