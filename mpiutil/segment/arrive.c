/* SPDX-License-Identifier: MIT */
/* A meeting in a segment. Members of a core arrive, wait and are released there, without atomic
 * operations: the last of them counts the core in, and then looks for the release (it watches)
 * while the others are a crowd. Whoever releases opens the gate; the watcher of each core sees
 * that, by looking for a while and then by its bell, and lets its crowd go.
 *
 * No release is missed: a watcher says that it sleeps, then looks once more; who releases opens the
 * gate, then looks who sleeps; all four in one order, so one of them sees the other. */
#include <base/assert.h>
#include <base/mem.h>
#include <sys/k_thread.h>

#include "progress/progress.h"
#include "segment/cluster.h"

void *mpu_segment_operand(struct mpu_segment *s, const struct mpu_rank *r, uint64_t n)
{
    b_assert(n <= MPU_SEGMENT_OPERAND);
    return mpu_core_slot_of(s, r)->operands + (uint64_t)s->of_local[r->local].index * n;
}

void mpu_segment_show(struct mpu_segment *s, const struct mpu_rank *r, const void *at)
{
    mpu_core_slot_of(s, r)->shown[s->of_local[r->local].index] = at;
}

static uint32_t at(const struct mpu_core_slot *core)
{
    return atomic_load_explicit(&core->at, memory_order_relaxed);
}

static void set_at(struct mpu_core_slot *core, uint32_t at)
{
    atomic_store_explicit(&core->at, at, memory_order_relaxed);
}

bool mpu_segment_alike(const struct mpu_segment *s, const struct mpu_visit *v,
                       struct mpu_outcome *o)
{
    mpu_outcome_begin(o, &v->signature);
    for (int i = 0; i < s->cores && !mpu_segment_alone(s); i++) {
        const struct mpu_core_slot *core = s->used[i];
        mpu_outcome_compare(o, &v->signature, &core->signature);
        if (core->differ)
            mpu_outcome_compare(o, &v->signature, &core->other);
    }
    return o->agreed;
}

const void *mpu_segment_shown(const struct mpu_segment *s, int i)
{
    b_assert(i >= 0 && i < s->members);
    struct mpu_core_index at = s->of_member[i];
    return s->core[at.core].shown[at.index];
}

/* A copy for each size that is common, because there are many of them. */
static void spread(uint8_t *to, const uint8_t *from, const int *member, int n, uint64_t bytes)
{
    if (bytes == sizeof(uint32_t))
        for (int i = 0; i < n; i++)
            ((uint32_t *)to)[member[i]] = ((const uint32_t *)from)[i];
    else if (bytes == sizeof(uint64_t))
        for (int i = 0; i < n; i++)
            ((uint64_t *)to)[member[i]] = ((const uint64_t *)from)[i];
    else
        for (int i = 0; i < n; i++)
            memcpy(to + (uint64_t)member[i] * bytes, from + (uint64_t)i * bytes, bytes);
}

void *mpu_segment_operands(struct mpu_segment *s, uint64_t n)
{
    for (int i = 0; i < s->cores; i++) {
        const struct mpu_core_slot *core = s->used[i];
        spread(s->work, core->operands, core->member, core->members, n);
    }
    return s->work;
}

/* On that core, which is at no call any more. */
static void let_go(struct mpu_core_slot *core, unsigned int round)
{
    b_assert(core->round != round && core->arrived == 0);
    core->round = round;
    k_crowd_release(&core->crowd);
}

void mpu_segment_release(struct mpu_segment *s, struct mpu_rank *r, const struct mpu_outcome *o)
{
    struct mpu_core_slot *own = mpu_core_slot_of(s, r);
    if (mpu_segment_alone(s))
        return;
    s->outcome = *o;
    /* First: who sees the gate open may wait for that (clear), and nobody wakes it. */
    set_at(own, 0);
    mpu_gate_open(&s->gate);
    for (int i = 0; i < s->cores; i++)
        if (s->used[i] != own && atomic_load(&s->used[i]->sleeps))
            mpu_ring(atomic_load_explicit(&s->used[i]->watcher, memory_order_relaxed));
    let_go(own, mpu_gate_releases(&s->gate));
}

/* Whether the release `round` has come. */
static bool released(const struct mpu_segment *s, unsigned int round)
{
    return mpu_gate_passed(&s->gate, round - 1);
}

struct looking {
    const struct mpu_segment *segment;
    uint32_t number; /* of a release, or of a call */
};

static bool sees_release(void *arg)
{
    const struct looking *l = arg;
    return released(l->segment, l->number);
}

/* The visitor is no longer counted; false: all have arrived, the release comes. A core that was
 * counted as a whole is taken back, unless it was the last one. */
static bool retract(struct mpu_segment *s, struct mpu_core_slot *core, const struct mpu_visit *v)
{
    if (core->arrived > 0)
        core->arrived--;
    else if (mpu_gate_retract(&s->gate, v->round - 1, (uint32_t)s->cores))
        core->arrived = core->members - 1;
    else
        return false;
    if (core->arrived == 0)
        set_at(core, 0);
    return true;
}

/* Whether a rank that was woken without a release leaves the meeting: its wait was cancelled, or a
 * member of its core has come for a later call (expel). */
static __attribute__((noinline)) bool leaves(struct mpu_segment *s, struct mpu_rank *r,
                                             struct mpu_visit *v)
{
    struct mpu_core_slot *core = mpu_core_slot_of(s, r);
    if (core->round == v->round || !v->cancelled)
        return false;
    v->left = at(core) != mpu_at_call(v->signature.number) ||
              (v->cancelled(v->arg) && retract(s, core, v));
    if (v->left)
        mpu_ring_all(r->cluster, r); /* somebody may wait for that: mpu_segment_clear */
    return v->left;
}

static void watch(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct mpu_core_slot *core = mpu_core_slot_of(s, r);
    unsigned int round = v->round;
    while (!mpu_look(r, sees_release, &(struct looking){s, round}) && !released(s, round)) {
        if (leaves(s, r, v))
            return;
        if (mpu_poll(r))
            continue;
        atomic_store_explicit(&core->watcher, r, memory_order_relaxed);
        atomic_store(&core->sleeps, true);
        if (atomic_load(&s->gate.opened) != round)
            mpu_rest(r, NULL);
        atomic_store(&core->sleeps, false);
    }
    set_at(core, 0);
    let_go(core, round);
    if (!s->outcome.agreed)
        mpu_ring_all(r->cluster, r); /* as above */
}

/* The rank may have more to do meanwhile than to wait, or was rung. */
static __attribute__((noinline)) void stay_busy(struct mpu_segment *s, struct mpu_rank *r,
                                                struct mpu_visit *v)
{
    struct mpu_core_slot *core = mpu_core_slot_of(s, r);
    unsigned int round = v->round;
    while (core->round != round && !leaves(s, r, v)) {
        if (mpu_poll(r) || core->round == round)
            continue;
        mpu_rest(r, &core->crowd);
    }
}

/* What others of its core do from here on wakes the rank, or lets it go. */
static inline void stay(struct mpu_segment *s, struct mpu_core_slot *core, struct mpu_rank *r,
                        struct mpu_visit *v)
{
    if (!r->notices && !r->cluster->transport) {
        mpu_note(r, MPU_WAITS);
        mpu_stall_clock_run(&r->cluster->stall_clock);
        k_crowd_wait(&core->crowd, &r->bell);
        mpu_note(r, MPU_RUNS);
    }
    if (core->round != v->round)
        stay_busy(s, r, v);
}

/* Of a leader. */
struct gathering {
    struct mpu_segment *segment;
    struct mpu_rank *leader;
    struct mpu_visit *visit;
};

static bool gathered(void *arg)
{
    const struct gathering *g = arg;
    return mpu_gate_full(&g->segment->gate, g->visit->round - 1, (uint32_t)g->segment->cores) ||
           leaves(g->segment, g->leader, g->visit);
}

/* The rank is the last of its core, or one of several clusters is here: then the leader waits for
 * all, and nobody need watch on its core. True: it closes the meeting. */
static __attribute__((noinline)) bool meet_on(struct mpu_segment *s, struct mpu_rank *r, bool last,
                                              struct mpu_visit *v)
{
    struct mpu_core_slot *core = mpu_core_slot_of(s, r);
    bool several = s->clusters > 1;
    if (last)
        core->arrived = 0;
    bool all = last && mpu_gate_arrive(&s->gate, v->round - 1, (uint32_t)s->cores);
    if (all && (!several || r == s->leader))
        return true;
    if (all)
        mpu_ring(s->leader);
    if (several && r == s->leader)
        mpu_until(r, gathered, &(struct gathering){s, r, v});
    else if (last && !(several && r->core == s->leader->core))
        watch(s, r, v);
    else
        stay_busy(s, r, v);
    return several && r == s->leader && !v->left;
}

static __attribute__((noinline)) void note_other(struct mpu_core_slot *core,
                                                 const struct mpu_signature *other)
{
    if (!core->differ || core->other.bytes == core->signature.bytes)
        core->other = *other;
    core->differ = true;
}

/* Members of this core wait for another call than the one who arrives. If theirs is older they are
 * woken to leave (leaves), and true is returned. False: the one who arrives is behind, and must
 * leave. */
static __attribute__((noinline)) bool expel(struct mpu_core_slot *core, const struct mpu_rank *r,
                                            uint32_t number)
{
    if (mpu_later(at(core), mpu_at_call(number)))
        return false;
    core->arrived = 0;
    mpu_ring_all(r->cluster, r);
    return true;
}

/* Counts it in on its core. False: it does not fit in. */
static inline bool join_core(struct mpu_core_slot *core, const struct mpu_rank *r,
                             struct mpu_visit *v)
{
    const struct mpu_signature *own = &v->signature;
    v->round = core->round + 1;
    if (core->arrived && at(core) != mpu_at_call(own->number) && !expel(core, r, own->number))
        return false;
    if (core->arrived == 0) {
        core->signature = *own;
        set_at(core, mpu_at_call(own->number));
        core->differ = false;
    } else if (!mpu_same_signature(&core->signature, own)) {
        note_other(core, own);
    }
    core->arrived++;
    b_assert(core->arrived <= core->members);
    return true;
}

enum mpu_met mpu_segment_arrive(struct mpu_segment *s, struct mpu_rank *r, struct mpu_visit *v)
{
    struct mpu_core_slot *core = mpu_core_slot_of(s, r);
    bool closes = false;
    b_assert(core->members > 0);
    if (mpu_segment_alone(s)) {
        v->round = mpu_gate_releases(&s->gate) + 1; /* of a gate that is never passed */
        v->left = false;
        return MPU_CLOSES;
    }
    v->left = !join_core(core, r, v);
    if (v->left)
        return MPU_LEFT;
    bool last = core->arrived == core->members;
    r->awaited = NULL;
    if (last || s->clusters > 1)
        closes = meet_on(s, r, last, v);
    else
        stay(s, core, r, v);
    return v->left ? MPU_LEFT : closes ? MPU_CLOSES : MPU_RELEASED;
}

void mpu_segment_meet(struct mpu_segment *s, struct mpu_rank *r, const struct mpu_visit *v)
{
    b_assert(s->clusters == 1 || s->shared);
    struct mpu_visit again = {.signature = v->signature};
    const struct mpu_outcome o = {.agreed = true};
    if (mpu_segment_arrive(s, r, &again) != MPU_CLOSES)
        return;
    if (s->clusters > 1)
        mpu_leaders_meet(s, r, &again);
    mpu_segment_release(s, r, &o);
}

void mpu_segment_taken(struct mpu_segment *s)
{
    if (atomic_fetch_add(&s->taken, 1) + 2 == s->members)
        mpu_ring(s->leader);
}

bool mpu_segment_all_taken(struct mpu_segment *s)
{
    if (atomic_load(&s->taken) + 1 < s->members)
        return false;
    atomic_store_explicit(&s->taken, 0, memory_order_relaxed);
    return true;
}

static bool clear(void *arg)
{
    const struct looking *l = arg;
    for (int i = 0; i < l->segment->cores; i++)
        if (at(l->segment->used[i]) == mpu_at_call(l->number))
            return false;
    return true;
}

void mpu_segment_clear(struct mpu_segment *s, struct mpu_rank *r, uint32_t number)
{
    mpu_until(r, clear, &(struct looking){s, number});
}
