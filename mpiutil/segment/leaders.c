/* SPDX-License-Identifier: MIT */
/* How leaders meet, each in its slot of memory that all clusters share.
 *
 * At the gate: whoever arrives counts itself after it filled in its slot, so the last one sees them
 * all; it opens the gate after it wrote the result, and tells those that sleep.
 *
 * Each for itself (s->each): leaders_each.c.
 */
#include <base/assert.h>
#include <base/fence.h>

#include "progress/progress.h"
#include "segment/leaders.h"

static struct leader_entry *own_entry(const struct mpu_segment *s)
{
    b_assert(s->entry < 2 && s->cluster < s->clusters);
    return &s->shared->slot[s->cluster].entry[s->entry];
}

static mpu_word *gate_closed(struct mpu_await *a)
{
    struct mpu_gate *gate = &a->segment->shared->gate;
    return mpu_gate_passed(gate, ((struct mpu_leader_wait *)a)->seen) ? NULL : &gate->opened;
}

static bool may_leave(struct mpu_await *a)
{
    const struct mpu_segment *s = a->segment;
    return mpu_gate_retract(&s->shared->gate, ((struct mpu_leader_wait *)a)->seen,
                            (uint32_t)s->clusters);
}

static const struct mpu_awaited gate_opens = {MPU_FOR_LEADERS, gate_closed, may_leave, NULL};

/* Many, or several for a processor: the last one to come closes the meeting. */
static bool come_to_gate(struct mpu_leader_wait *w)
{
    const struct mpu_segment *s = w->await.segment;
    struct mpu_visit *v = w->await.visit;
    w->seen = mpu_gate_releases(&s->shared->gate);
    if (v->cancelled) {
        mpu_poll(w->await.rank);
        v->left = v->cancelled(v->arg);
    }
    return !v->left && mpu_gate_arrive(&s->shared->gate, w->seen, (uint32_t)s->clusters);
}

void *mpu_leaders_begin(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    v->left = false;
    if (s->each && !r->cluster->has.each->begin(s, r, v))
        return NULL;
    if (!s->each)
        s->entry = mpu_gate_releases(&s->shared->gate) % 2;
    s->operand_at = leader_operand_at(v);
    return own_entry(s)->operand + s->operand_at;
}

bool mpu_leaders_come(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v,
                      struct mpu_leader_wait *w)
{
    struct leader_entry *entry = own_entry(s);
    uint32_t at = mpu_at_call(v->signature.number);
    entry->signature = v->signature;
    atomic_store_explicit(&entry->at, at, memory_order_release);
    w->await.segment = s;
    w->await.rank = r;
    w->await.visit = v;
    w->await.awaited = &gate_opens;
    if (!s->each)
        return come_to_gate(w);
    r->cluster->has.each->come(w);
    return false;
}

enum mpu_met mpu_leaders_came(struct mpu_segment *s, const struct mpu_visit *v)
{
    if (!s->each)
        atomic_store_explicit(&own_entry(s)->at, 0, memory_order_release);
    return v->left ? MPU_LEFT : s->each ? MPU_CLOSES : MPU_RELEASED;
}

bool mpu_leaders_withdraw(struct mpu_leader_wait *w)
{
    const struct mpu_segment *s = w->await.segment;
    if (s->each) /* whose next call has that entry then */
        w->await.rank->cluster->has.each->withdraw(w);
    else if (!may_leave(&w->await))
        return false;
    atomic_store(&own_entry(s)->at, 0);
    return true;
}

enum mpu_met mpu_leaders_arrive(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct mpu_leader_wait w;
    if (mpu_leaders_come(s, r, v, &w))
        return MPU_CLOSES;
    if (!v->left)
        mpu_await_word(&w.await);
    return mpu_leaders_came(s, v);
}

static const struct leader_entry *entry_of(const struct mpu_segment *s, int i)
{
    return &s->shared->slot[i].entry[s->each ? s->found[i] : s->entry];
}

bool mpu_leaders_alike(const struct mpu_segment *s, const struct mpu_visit *v,
                       struct mpu_outcome *o)
{
    mpu_outcome_begin(o, &v->signature);
    for (int i = 0; i < s->clusters; i++)
        if (i != s->cluster)
            mpu_outcome_compare(o, &v->signature, &entry_of(s, i)->signature);
    return o->agreed;
}

const uint8_t *mpu_leaders_given(const struct mpu_segment *s, int i)
{
    return entry_of(s, i)->operand + s->operand_at;
}

void mpu_leaders_release(struct mpu_segment *s, const struct mpu_rank *r,
                         const struct mpu_outcome *o)
{
    struct mpu_leaders *l = s->shared;
    if (s->each)
        return;
    b_assert(atomic_load(&own_entry(s)->at));
    l->outcome = *o;
    atomic_store_explicit(&own_entry(s)->at, 0, memory_order_relaxed);
    mpu_gate_open(&l->gate);
    mpu_tell(s, r, MPU_FOR_LEADERS);
}

void mpu_leaders_wake(struct mpu_segment *s, const struct mpu_rank *r)
{
    if (!s->each)
        return;
    if (!s->relaxed)
        b_fence();
    r->cluster->has.each->wake(s, r);
}

void mpu_leaders_meet(struct mpu_segment *s, struct mpu_rank *r, const struct mpu_visit *v)
{
    b_assert(!s->each);
    struct mpu_visit again = {.signature = v->signature};
    const struct mpu_outcome o = {.agreed = true};
    mpu_leaders_begin(s, r, &again);
    if (mpu_leaders_arrive(s, r, &again) == MPU_CLOSES)
        mpu_leaders_release(s, r, &o);
}

struct mpu_staging *mpu_leaders_staging(const struct mpu_segment *s, int i, int number)
{
    const struct mpu_cluster *c = mpu_cluster();
    const struct mpu_endpoint *e = &c->endpoint[s->leaders[i]];
    return mpu_place_staging(&c->places, mpu_place_number(&c->places, e->cluster, e->core), number);
}

uint64_t mpu_leaders_staging_bytes(int members)
{
    uint64_t most = (uint64_t)members * MPU_STAGING_EACH, staging = mpu_cluster()->places.staging;
    return staging < most ? staging : most;
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
        uint32_t at = leader_latest(&s->shared->slot[i]);
        bool behind = at && mpu_later(mpu_at_call(number), at);
        if (!behind || i == s->cluster)
            i++;
        else if (!mpu_poll(r))
            mpu_yield(r);
    }
}
