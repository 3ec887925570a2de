/* SPDX-License-Identifier: MIT */
/* How leaders meet, each in its slot of memory that all clusters share.
 *
 * At the gate: whoever arrives counts itself after it filled in its slot, so the last one sees them
 * all; it opens the gate after it wrote the result, and tells those that sleep. A leader has its
 * bell rung when `opened` changes.
 *
 * Each for itself (s->each): whoever arrives fills in its slot, says so there, and looks at the
 * slots of those that it needs until they have, too. A slot has two turns, used one after the
 * other. Before a leader fills in one all others have come to its call before, or a later one: so
 * nobody reads that turn any more, as who is at a call reads nothing of one before; and what those
 * said there whom it did not need is there still, and is compared now. Of those who wait for that
 * the one at the earliest call never does, so they do not wait for each other for ever. A leader
 * may have left a call before it was there, so turns of leaders may differ, and a leader's is the
 * one that bears the call's number. */
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
    /* s->each: what it waits for; the leaders before this one need not be looked at any more. */
    bool (*passed)(struct waiting *w);
    int next;
};

/* In which turn a leader is at the call; NONE: it is elsewhere. */
static int turn_at(const struct leader_slot *slot, uint32_t at)
{
    for (int i = 0; i < 2; i++)
        if (atomic_load(&slot->turn[i].at) == at)
            return i;
    return NONE;
}

static uint32_t latest(const struct leader_slot *slot)
{
    uint32_t a = atomic_load(&slot->turn[0].at), b = atomic_load(&slot->turn[1].at);
    return mpu_later(a, b) ? a : b;
}

/* Those that the visitor needs are here. */
static bool all_here(struct waiting *w)
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

/* One at this call that the visitor did not look at when it was there itself. If both called the
 * same operation with the same root, one that needed the other has compared the rest. */
static void look_back(struct waiting *w, const struct leader_slot *slot, uint32_t at)
{
    const struct mpu_segment *s = w->segment;
    int turn = turn_at(slot, at);
    const struct mpu_signature *own = &w->slot->turn[!s->turn].said;
    const struct mpu_signature *other = turn == NONE ? own : &slot->turn[turn].said;
    if (other->operation != own->operation || other->root != own->root)
        w->visit->late = other->rank;
}

/* All have come to the call before: nobody reads the turn any more that is to be filled in. */
static bool turn_free(struct waiting *w)
{
    struct mpu_segment *s = w->segment;
    for (; w->next < s->clusters; w->next++) {
        const struct leader_slot *slot = &s->shared->slot[w->next];
        if (s->seen_at[w->next] == s->last_at)
            continue;
        if (mpu_later(s->last_at, latest(slot)))
            return false;
        look_back(w, slot, s->last_at);
        s->seen_at[w->next] = s->last_at;
    }
    return true;
}

static bool gate_passed(struct waiting *w)
{
    return mpu_gate_passed(&w->segment->shared->gate, w->seen);
}

static bool passed(struct waiting *w)
{
    return w->passed(w);
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

static void tell_sleepers(const struct mpu_segment *s, const struct mpu_rank *r)
{
    for (int i = 0; i < s->clusters; i++)
        if (i != s->cluster && atomic_load(&s->shared->slot[i].asleep))
            k_board_tell(r->cluster->endpoint[s->leaders[i]].cluster);
}

/* s->each: others may sleep until this one is here, or at a later call. */
static void wake_others(struct mpu_segment *s, const struct mpu_rank *r)
{
    bool any = false;
    for (int i = 0; i < s->clusters; i++)
        any |= i != s->cluster && atomic_load(&s->shared->slot[i].asleep) != 0;
    if (any) {
        atomic_fetch_add(&s->shared->gate.opened, 1);
        tell_sleepers(s, r);
    }
}

/* It says that it sleeps before the word is looked at once more (k_board_watch); who opens the gate
 * changes the word before it looks who sleeps. */
static void sleep_until_passed(struct mpu_rank *r, struct waiting *w)
{
    struct mpu_gate *gate = &w->segment->shared->gate;
    atomic_exchange(&w->slot->asleep, 1);
    if (w->segment->each)
        wake_others(w->segment, r);
    w->seen = w->segment->each ? mpu_gate_releases(gate) : w->seen;
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

static bool looks(void *arg)
{
    return passed(arg);
}

/* Few leaders, each with a processor of its own. False: it left. */
static bool wait_each(struct mpu_rank *r, struct waiting *w)
{
    if (!passed(w) && !mpu_look(r, looks, w))
        sleep_until_passed(r, w);
    return !w->visit->left;
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

void *mpu_leaders_begin(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct leader_slot *slot = &s->shared->slot[s->cluster];
    struct waiting w = {s, v, slot, .passed = turn_free};
    v->left = false;
    v->late = NONE;
    if (s->each && !wait_each(r, &w))
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
    if (!s->each) {
        struct waiting w = {s, v, slot, mpu_gate_releases(&s->shared->gate), gate_passed, 0};
        return meet_at_gate(s, r, &w, turn);
    }
    struct waiting w = {s, v, slot, .passed = all_here, .next = v->first};
    s->seen_at[s->cluster] = s->last_at = at;
    s->turn = !s->turn;
    return wait_each(r, &w) ? MPU_CLOSES : MPU_LEFT;
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
    tell_sleepers(s, r);
}

void mpu_leaders_wake(struct mpu_segment *s, const struct mpu_rank *r)
{
    _Atomic(uint32_t) fence = 0;
    if (!s->each)
        return;
    atomic_exchange(&fence, 1); /* on a word of its own: a fence that thread sanitizers know */
    wake_others(s, r);
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
        bool missing = mpu_later(mpu_at_call(number), latest(&s->shared->slot[*i]));
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
