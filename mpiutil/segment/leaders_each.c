/* SPDX-License-Identifier: MIT */
/* How few leaders, each with a processor of its own, meet without a gate.
 *
 * Whoever arrives fills in its slot, says so there, and looks at the slots of those that it needs
 * until they have, too. A slot has two turns, used one after the other. Before a leader fills in
 * one all others have come to its call before, or a later one: so nobody reads that turn any more,
 * as who is at a call reads nothing of one before; and what those said there whom it did not need
 * is there still, and is compared now. Of those who wait for that the one at the earliest call
 * never does, so they do not wait for each other for ever. A leader may have left a call before it
 * was there, so turns of leaders may differ, and a leader's is the one that bears the call's
 * number.
 */
#include <base/assert.h>

#include "progress/progress.h"
#include "segment/leaders.h"

enum { NONE = -1 };

/* In which turn a leader is at the call; NONE: it is elsewhere. */
static int turn_at(const struct leader_slot *slot, uint32_t at)
{
    for (int i = 0; i < 2; i++)
        if (atomic_load(&slot->turn[i].at) == at)
            return i;
    return NONE;
}

/* A leader that waits for others; those before `next` need not be looked at any more. Whoever has
 * written its turn changes the gate's word if any sleep, as they cannot know which turn it is. */
struct waits {
    struct mpu_await await;
    int next;
};

/* Those that the visitor needs are here. */
static mpu_word *not_here(struct mpu_await *a)
{
    struct mpu_segment *s = a->segment;
    struct waits *w = (struct waits *)a;
    uint32_t at = mpu_at_call(a->visit->said.number);
    for (; w->next < a->visit->end; w->next++) {
        int turn = turn_at(&s->shared->slot[w->next], at);
        if (turn == NONE)
            return &s->shared->gate.opened;
        s->turns[w->next] = (uint8_t)turn;
        s->seen_at[w->next] = at;
    }
    return NULL;
}

/* One at this call that the visitor did not look at when it was there itself, or one that was in
 * something else then, which is no meeting. If both called the same operation with the same root,
 * one that needed the other has compared the rest. */
static void look_back(const struct mpu_await *a, const struct leader_slot *slot, uint32_t at)
{
    const struct mpu_segment *s = a->segment;
    int turn = turn_at(slot, at);
    const struct mpu_signature *own = &s->shared->slot[s->cluster].turn[!s->turn].said;
    const struct mpu_signature *other =
        &slot->turn[turn == NONE ? turn_at(slot, leader_latest(slot)) : turn].said;
    if (turn == NONE || other->operation != own->operation || other->root != own->root)
        a->visit->late = other->rank;
}

/* All have come to the call before: nobody reads the turn any more that is to be filled in. */
static mpu_word *turn_read(struct mpu_await *a)
{
    struct mpu_segment *s = a->segment;
    struct waits *w = (struct waits *)a;
    for (; w->next < s->clusters; w->next++) {
        const struct leader_slot *slot = &s->shared->slot[w->next];
        if (s->seen_at[w->next] == s->last_at)
            continue;
        if (mpu_later(s->last_at, leader_latest(slot)))
            return &s->shared->gate.opened;
        look_back(a, slot, s->last_at);
        s->seen_at[w->next] = s->last_at;
    }
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
    mpu_leaders_wake(a->segment, a->rank);
}

static const struct mpu_awaited all_have_read = {MPU_FOR_LEADERS, turn_read, NULL, before_sleep};
static const struct mpu_awaited needed_are_here = {MPU_FOR_LEADERS, not_here, NULL, before_sleep};

static bool begin(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct waits w = {{s, r, v, &all_have_read, NULL, 0}, 0};
    return mpu_await_word(&w.await);
}

static enum mpu_met arrive(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct waits w = {{s, r, v, &needed_are_here, NULL, 0}, v->first};
    s->seen_at[s->cluster] = s->last_at = mpu_at_call(v->said.number);
    s->turn = !s->turn;
    return mpu_await_word(&w.await) ? MPU_CLOSES : MPU_LEFT;
}

const struct mpu_each mpu_each = {begin, arrive, wake_others};
