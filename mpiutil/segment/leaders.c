/* SPDX-License-Identifier: MIT */
/* How leaders meet, each in its slot of memory that all clusters share.
 *
 * At the gate: whoever arrives counts itself after it filled in its slot, so the last one sees them
 * all; it opens the gate after it wrote the result, and tells those that sleep. A leader has its
 * bell rung when `opened` changes.
 *
 * Each for itself (s->each): leaders_each.c.
 */
#include <base/assert.h>
#include <base/mem.h>

#include "progress/progress.h"
#include "segment/leaders.h"

void mpu_leaders_wipe(struct mpu_segment *s)
{
    for (int i = 0; i < s->clusters && s->each; i++)
        for (int turn = 0; turn < 2; turn++)
            atomic_store_explicit(&s->shared->slot[i].turn[turn].at, 0, memory_order_relaxed);
}

static bool gate_passed(struct leader_waits *w)
{
    return mpu_gate_passed(&w->segment->shared->gate, w->seen);
}

/* Also when there is something new to look at. */
static bool passed_or_left(void *arg)
{
    struct leader_waits *w = arg;
    struct mpu_segment *s = w->segment;
    struct mpu_visit *v = w->visit;
    struct mpu_gate *gate = &s->shared->gate;
    if (w->passed(w))
        return true;
    v->left = v->cancelled && v->cancelled(v->arg) &&
              (s->each || mpu_gate_retract(gate, w->seen, (uint32_t)s->clusters));
    return v->left || (s->each && mpu_gate_releases(gate) != w->seen);
}

void mpu_leaders_tell(const struct mpu_segment *s, const struct mpu_rank *r)
{
    for (int i = 0; i < s->clusters; i++)
        if (i != s->cluster && atomic_load(&s->shared->slot[i].asleep))
            k_board_tell(r->cluster->endpoint[s->leaders[i]].cluster);
}

/* It says that it sleeps before the word is looked at once more (k_board_watch); who opens the gate
 * changes the word before it looks who sleeps. */
void mpu_leaders_sleep(struct mpu_rank *r, struct leader_waits *w)
{
    struct mpu_gate *gate = &w->segment->shared->gate;
    atomic_exchange(&w->slot->asleep, 1);
    if (w->segment->each)
        r->cluster->each->wake(w->segment, r);
    w->seen = w->segment->each ? mpu_gate_releases(gate) : w->seen;
    do {
        struct k_watch watch = {
            .word = &gate->opened, .value = w->seen, .bits = MPU_RUNG, .bell = &r->bell};
        k_board_watch(&watch);
        mpu_until(r, passed_or_left, w);
        k_board_forget(&watch);
        w->seen = w->segment->each ? mpu_gate_releases(gate) : w->seen;
    } while (w->segment->each && !w->visit->left && !w->passed(w));
    atomic_store_explicit(&w->slot->asleep, 0, memory_order_relaxed);
}

/* Many, or several for a processor: the last one to come closes the meeting. */
static enum mpu_met meet_at_gate(struct mpu_segment *s, struct mpu_rank *r, struct leader_waits *w,
                                 struct leader_turn *turn)
{
    struct mpu_gate *gate = &s->shared->gate;
    struct mpu_visit *v = w->visit;
    mpu_poll(r);
    v->left = v->cancelled && v->cancelled(v->arg);
    if (!v->left && mpu_gate_arrive(gate, w->seen, (uint32_t)s->clusters))
        return MPU_CLOSES;
    for (int i = 0; i < PASSES && !v->left && !w->passed(w); i++)
        k_relax(0);
    if (!v->left && !w->passed(w))
        mpu_leaders_sleep(r, w);
    atomic_store_explicit(&turn->at, 0, memory_order_release);
    return v->left ? MPU_LEFT : MPU_RELEASED;
}

void *mpu_leaders_begin(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct leader_slot *slot = &s->shared->slot[s->cluster];
    v->left = false;
    v->late = -1;
    if (s->each && !r->cluster->each->begin(s, r, v))
        return NULL;
    if (!s->each)
        s->turn = mpu_gate_releases(&s->shared->gate) % 2;
    b_assert(v->head <= NEAR);
    s->operand_at = v->head + v->said.bytes <= NEAR ? 0 : NEAR - v->head;
    return slot->turn[s->turn].operand + s->operand_at;
}

enum mpu_met mpu_leaders_arrive(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct leader_slot *slot = &s->shared->slot[s->cluster];
    struct leader_turn *turn = &slot->turn[s->turn];
    uint32_t at = mpu_at_call(v->said.number);
    b_assert(s->turn < 2 && s->cluster < s->clusters && v->end <= s->clusters);
    turn->said = v->said;
    atomic_store_explicit(&turn->at, at, memory_order_release);
    if (s->each)
        return r->cluster->each->arrive(s, r, v);
    struct leader_waits w = {s, v, slot, mpu_gate_releases(&s->shared->gate), gate_passed, 0};
    return meet_at_gate(s, r, &w, turn);
}

static const struct leader_turn *turn_of(const struct mpu_segment *s, int i)
{
    return &s->shared->slot[i].turn[s->each ? s->turns[i] : s->turn];
}

bool mpu_leaders_alike(const struct mpu_segment *s, const struct mpu_visit *v,
                       struct mpu_outcome *o)
{
    int first = s->each ? v->first : 0, end = s->each ? v->end : s->clusters;
    *o = mpu_outcome_of(&v->said);
    for (int i = first; i < end; i++)
        mpu_outcome_compare(o, &turn_of(s, i)->said);
    return o->agreed;
}

const void *mpu_leaders_given(const struct mpu_segment *s, int i)
{
    return turn_of(s, i)->operand + s->operand_at;
}

void mpu_leaders_release(struct mpu_segment *s, const struct mpu_rank *r,
                         const struct mpu_outcome *o)
{
    struct mpu_leaders *l = s->shared;
    if (s->each)
        return;
    b_assert(atomic_load(&l->slot[s->cluster].turn[s->turn].at));
    l->outcome = *o;
    atomic_store_explicit(&l->slot[s->cluster].turn[s->turn].at, 0, memory_order_relaxed);
    mpu_gate_open(&l->gate);
    mpu_leaders_tell(s, r);
}

void mpu_leaders_wake(struct mpu_segment *s, const struct mpu_rank *r)
{
    _Atomic(uint32_t) fence = 0;
    if (!s->each)
        return;
    atomic_exchange(&fence, 1); /* on a word of its own: a fence that thread sanitizers know */
    r->cluster->each->wake(s, r);
}

void mpu_leaders_meet(struct mpu_segment *s, struct mpu_rank *r, const struct mpu_visit *v)
{
    struct mpu_visit again = {.said = v->said};
    const struct mpu_outcome o = mpu_outcome_of(&v->said);
    mpu_leaders_begin(s, r, &again);
    if (mpu_leaders_arrive(s, r, &again) == MPU_CLOSES)
        mpu_leaders_release(s, r, &o);
    mpu_leaders_wake(s, r);
}

struct mpu_room *mpu_leaders_room(const struct mpu_segment *s, int i, int number)
{
    const struct mpu_cluster *c = mpu_cluster();
    const struct mpu_endpoint *e = &c->endpoint[s->leaders[i]];
    return mpu_place_room(&c->places, mpu_place_number(&c->places, e->cluster, e->core), number);
}

uint64_t mpu_leaders_room_bytes(void)
{
    return mpu_cluster()->places.room;
}

void *mpu_leaders_result(struct mpu_segment *s)
{
    b_assert(!s->each);
    return s->shared->result;
}

const struct mpu_outcome *mpu_leaders_outcome(const struct mpu_segment *s)
{
    b_assert(!s->each);
    return &s->shared->outcome;
}

int mpu_leaders_missing(const struct mpu_segment *s, uint32_t number, int *i)
{
    while (*i < s->clusters) {
        bool missing = mpu_later(mpu_at_call(number), leader_latest(&s->shared->slot[*i]));
        int leader = s->leaders[(*i)++];
        if (missing)
            return leader;
    }
    return -1;
}

/* Those who are leaving are awake, and need no word from here. */
void mpu_leaders_clear(struct mpu_segment *s, struct mpu_rank *r, uint32_t number)
{
    for (int i = 0; i < s->clusters && !s->each;) {
        const struct leader_turn *turn = s->shared->slot[i].turn;
        uint32_t at = atomic_load(&turn[0].at), other = atomic_load(&turn[1].at);
        at = at ? at : other;
        bool behind = at && mpu_later(mpu_at_call(number), at);
        if (!behind || i == s->cluster)
            i++;
        else if (!mpu_poll(r))
            mpu_yield(r);
    }
}
