/* SPDX-License-Identifier: MIT */
/* How leaders meet, each in its slot of memory that all clusters share.
 *
 * At the gate: whoever arrives counts itself after it filled in its slot, so the last one sees them
 * all; it opens the gate after it wrote the result, and tells those that sleep. A leader has its
 * bell rung when `opened` changes.
 *
 * Each for itself (s->each): whoever arrives fills in its slot, says so there, and looks at the
 * others' until all have. A slot has two turns, and a leader uses the other one after each meeting
 * that it saw all others at: that all are at the one after it shows that nobody reads the former
 * any more. Who left a meeting uses the same turn again, as nobody saw all at that one. So turns of
 * leaders may differ, and a leader's is the one that bears the call's number. */
#include <base/assert.h>
#include <base/mem.h>

#include "progress/progress.h"
#include "segment/leaders.h"

/* How often a leader lets others run before it goes to sleep: who sleeps has to be woken, which
 * takes longer than a turn of one that looks and finds nothing. */
enum { PASSES = 4 };
enum { NONE = -1 };

void mpu_leaders_wipe(struct mpu_segment *s)
{
    for (int i = 0; i < s->clusters && s->each; i++)
        for (int turn = 0; turn < 2; turn++)
            atomic_store_explicit(&s->shared->slot[i].turn[turn].at, 0, memory_order_relaxed);
}

struct waiting {
    struct mpu_segment *segment;
    struct mpu_visit *visit;
    struct leader_slot *slot; /* the waiting leader's */
    uint32_t seen;            /* how often the gate was opened */
    int here; /* s->each: so many leaders have been seen to be here, the first ones */
};

/* In which turn a leader is at the call; NONE: it is elsewhere. */
static int turn_at(const struct leader_slot *slot, uint32_t number)
{
    for (int i = 0; i < 2; i++)
        if (atomic_load(&slot->turn[i].at) == number + 1)
            return i;
    return NONE;
}

static bool all_here(struct waiting *w)
{
    struct mpu_segment *s = w->segment;
    for (; w->here < s->clusters; w->here++) {
        int turn = turn_at(&s->shared->slot[w->here], w->visit->said.number);
        if (turn == NONE)
            return false;
        s->turns[w->here] = (uint8_t)turn;
    }
    return true;
}

static bool passed(struct waiting *w)
{
    return w->segment->each ? all_here(w) : mpu_gate_passed(&w->segment->shared->gate, w->seen);
}

/* Also when there is something new to look at. */
static bool passed_or_left(void *arg)
{
    struct waiting *w = arg;
    struct mpu_segment *s = w->segment;
    struct mpu_visit *v = w->visit;
    struct mpu_gate *gate = &s->shared->gate;
    if (passed(w))
        return true;
    v->left = v->cancelled && v->cancelled(v->arg) &&
              (s->each || mpu_gate_retract(gate, w->seen, (uint32_t)s->clusters));
    return v->left || (s->each && mpu_gate_releases(gate) != w->seen);
}

/* It says that it sleeps before the word is looked at once more (k_board_watch); who opens the gate
 * changes the word before it looks who sleeps. */
static void sleep_until_passed(struct mpu_rank *r, struct waiting *w)
{
    struct mpu_gate *gate = &w->segment->shared->gate;
    atomic_exchange(&w->slot->asleep, 1);
    do {
        struct k_watch watch = {
            .word = &gate->opened, .value = w->seen, .bits = MPU_RUNG, .bell = &r->bell};
        k_board_watch(&watch);
        mpu_until(r, passed_or_left, w);
        k_board_forget(&watch);
        w->seen = w->segment->each ? mpu_gate_releases(gate) : w->seen;
    } while (w->segment->each && !w->visit->left && !passed(w));
    atomic_store_explicit(&w->slot->asleep, 0, memory_order_relaxed);
}

static void tell_sleepers(const struct mpu_segment *s, const struct mpu_rank *r)
{
    for (int i = 0; i < s->clusters; i++)
        if (atomic_load(&s->shared->slot[i].asleep))
            k_board_tell(r->cluster->endpoint[s->leaders[i]].cluster);
}

static bool looks(void *arg)
{
    return passed(arg);
}

/* Few leaders, each with a processor of its own: all close the meeting, and read what the others
 * gave, as soon as it is there. A turn is used again when the meeting after it has been closed:
 * then all have read it. */
static enum mpu_met meet_each(struct mpu_segment *s, struct mpu_rank *r, struct waiting *w)
{
    if (!passed(w) && !mpu_look(r, looks, w))
        sleep_until_passed(r, w);
    if (w->visit->left)
        return MPU_LEFT;
    b_assert(s->clusters <= MPU_LEADERS_EACH && w->here == s->clusters);
    s->turn = !s->turn;
    return MPU_CLOSES;
}

/* Many, or several for a processor: the last one to come closes the meeting. */
static enum mpu_met meet_at_gate(struct mpu_segment *s, struct mpu_rank *r, struct waiting *w,
                                 struct leader_turn *turn)
{
    struct mpu_gate *gate = &s->shared->gate;
    struct mpu_visit *v = w->visit;
    mpu_poll(r);
    v->left = v->cancelled && v->cancelled(v->arg);
    if (!v->left && mpu_gate_arrive(gate, w->seen, (uint32_t)s->clusters))
        return MPU_CLOSES;
    for (int i = 0; i < PASSES && !v->left && !passed(w); i++)
        k_relax(0);
    if (!v->left && !passed(w))
        sleep_until_passed(r, w);
    atomic_store_explicit(&turn->at, 0, memory_order_release);
    return v->left ? MPU_LEFT : MPU_RELEASED;
}

void *mpu_leaders_begin(struct mpu_segment *s)
{
    if (!s->each)
        s->turn = mpu_gate_releases(&s->shared->gate) % 2;
    return s->shared->slot[s->cluster].turn[s->turn].operand;
}

enum mpu_met mpu_leaders_arrive(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct leader_slot *slot = &s->shared->slot[s->cluster];
    struct leader_turn *turn = &slot->turn[s->turn];
    struct waiting w = {s, v, slot, mpu_gate_releases(&s->shared->gate), 0};
    b_assert(s->turn < 2 && s->cluster < s->clusters);
    turn->said = v->said;
    atomic_store_explicit(&turn->at, v->said.number + 1, memory_order_release);
    v->left = false;
    return s->each ? meet_each(s, r, &w) : meet_at_gate(s, r, &w, turn);
}

static const struct leader_turn *turn_of(const struct mpu_segment *s, int i)
{
    return &s->shared->slot[i].turn[s->each ? s->turns[i] : s->turn];
}

bool mpu_leaders_alike(const struct mpu_segment *s, struct mpu_outcome *o)
{
    *o = mpu_outcome_of(&turn_of(s, 0)->said);
    for (int i = 1; i < s->clusters; i++)
        mpu_outcome_compare(o, &turn_of(s, i)->said);
    return o->agreed;
}

const void *mpu_leaders_given(const struct mpu_segment *s, int i)
{
    return turn_of(s, i)->operand;
}

void mpu_leaders_release(struct mpu_segment *s, const struct mpu_rank *r,
                         const struct mpu_outcome *o)
{
    struct mpu_leaders *l = s->shared;
    if (s->each) {
        s->closed = *o;
        return;
    }
    b_assert(atomic_load(&l->slot[s->cluster].turn[s->turn].at));
    l->outcome = *o;
    atomic_store_explicit(&l->slot[s->cluster].turn[s->turn].at, 0, memory_order_relaxed);
    mpu_gate_open(&l->gate);
    tell_sleepers(s, r);
}

void mpu_leaders_wake(struct mpu_segment *s, const struct mpu_rank *r)
{
    bool any = false;
    _Atomic(uint32_t) fence = 0;
    if (!s->each)
        return;
    atomic_exchange(&fence, 1); /* on a word of its own: a fence that thread sanitizers know */
    for (int i = 0; i < s->clusters; i++)
        any |= atomic_load(&s->shared->slot[i].asleep) != 0;
    if (any) {
        atomic_fetch_add(&s->shared->gate.opened, 1);
        tell_sleepers(s, r);
    }
}

void mpu_leaders_meet(struct mpu_segment *s, struct mpu_rank *r, const struct mpu_visit *v)
{
    struct mpu_visit again = {.said = v->said};
    const struct mpu_outcome o = s->shared->outcome;
    mpu_leaders_begin(s);
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
    return s->each ? mpu_segment_next(s)->bytes : s->shared->result;
}

const struct mpu_outcome *mpu_leaders_outcome(const struct mpu_segment *s)
{
    return s->each ? &s->closed : &s->shared->outcome;
}

int mpu_leaders_missing(const struct mpu_segment *s, uint32_t number, int *i)
{
    while (*i < s->clusters) {
        bool missing = turn_at(&s->shared->slot[*i], number) == NONE;
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
        bool behind = at && (int32_t)(at - (number + 1)) < 0;
        if (!behind || i == s->cluster)
            i++;
        else if (!mpu_poll(r))
            mpu_yield(r);
    }
}
