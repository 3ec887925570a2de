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

/* Those that the visitor needs are here. */
static bool all_here(struct leader_waits *w)
{
    struct mpu_segment *s = w->segment;
    uint32_t at = mpu_at_call(w->visit->said.number);
    for (; w->next < w->visit->end; w->next++) {
        int turn = turn_at(&s->shared->slot[w->next], at);
        if (turn == NONE)
            return false;
        s->turns[w->next] = (uint8_t)turn;
        s->seen_at[w->next] = at;
    }
    return true;
}

/* One at this call that the visitor did not look at when it was there itself, or one that was in
 * something else then, which is no meeting. If both called the same operation with the same root,
 * one that needed the other has compared the rest. */
static void look_back(struct leader_waits *w, const struct leader_slot *slot, uint32_t at)
{
    const struct mpu_segment *s = w->segment;
    int turn = turn_at(slot, at);
    const struct mpu_signature *own = &w->slot->turn[!s->turn].said;
    const struct mpu_signature *other =
        &slot->turn[turn == NONE ? turn_at(slot, leader_latest(slot)) : turn].said;
    if (turn == NONE || other->operation != own->operation || other->root != own->root)
        w->visit->late = other->rank;
}

/* All have come to the call before: nobody reads the turn any more that is to be filled in. */
static bool turn_free(struct leader_waits *w)
{
    struct mpu_segment *s = w->segment;
    for (; w->next < s->clusters; w->next++) {
        const struct leader_slot *slot = &s->shared->slot[w->next];
        if (s->seen_at[w->next] == s->last_at)
            continue;
        if (mpu_later(s->last_at, leader_latest(slot)))
            return false;
        look_back(w, slot, s->last_at);
        s->seen_at[w->next] = s->last_at;
    }
    return true;
}

static void wake_others(struct mpu_segment *s, const struct mpu_rank *r)
{
    bool any = false;
    for (int i = 0; i < s->clusters; i++)
        any |= i != s->cluster && atomic_load(&s->shared->slot[i].asleep) != 0;
    if (any) {
        atomic_fetch_add(&s->shared->gate.opened, 1);
        mpu_leaders_tell(s, r);
    }
}

static bool looks(void *arg)
{
    struct leader_waits *w = arg;
    return w->passed(w);
}

/* False: it left. */
static bool wait_each(struct mpu_rank *r, struct leader_waits *w)
{
    if (!w->passed(w) && !mpu_look(r, looks, w))
        mpu_leaders_sleep(r, w);
    return !w->visit->left;
}

static bool begin(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct leader_waits w = {s, v, &s->shared->slot[s->cluster], .passed = turn_free};
    return wait_each(r, &w);
}

static enum mpu_met arrive(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct leader_waits w = {s, v, &s->shared->slot[s->cluster], .passed = all_here,
                             .next = v->first};
    s->seen_at[s->cluster] = s->last_at = mpu_at_call(v->said.number);
    s->turn = !s->turn;
    return wait_each(r, &w) ? MPU_CLOSES : MPU_LEFT;
}

const struct mpu_each mpu_each = {begin, arrive, wake_others};
