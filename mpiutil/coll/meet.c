/* SPDX-License-Identifier: MIT */
/* A meeting in a hall. Members of a core arrive, wait and are released there, without atomic
 * operations: the last of them counts the core in, and then looks for the release (it watches)
 * while the others are a crowd. Whoever releases writes `generation`; the watcher of each core sees
 * that, by looking for a while and then by its bell, and lets its crowd go.
 *
 * No release is missed: a watcher says that it sleeps, then looks once more; who releases writes
 * the generation, then looks who sleeps; all four in one order, so one of them sees the other. */
#include <base/mem.h>
#include <sys/k_thread.h>

#include "coll/hall.h"
#include "progress/progress.h"
#include "rank/rank.h"

/* Of a watcher: looks at the release before it looks at all else, and before it looks at the
 * clock. */
#define LOOKS_PER_POLL  16
#define LOOKS_PER_CLOCK 64

void *mpu_hall_operand(struct mpu_hall *h, const struct mpu_rank *r, uint64_t n)
{
    struct mpu_hall_core *core = mpu_hall_core_of(h, r);
    return core->operands[core->round % 2] + (uint64_t)h->seat[r->local].seat * n;
}

void mpu_hall_show(struct mpu_hall *h, const struct mpu_rank *r, const void *at)
{
    mpu_hall_core_of(h, r)->shown[h->seat[r->local].seat] = at;
}

static uint32_t number_at(const struct mpu_hall_core *core)
{
    return mpu_hall_at(core) - 1;
}

static void set_at(struct mpu_hall_core *core, uint32_t at)
{
    atomic_store_explicit(&core->at, at, memory_order_relaxed);
}

/* Into *told: whether those of a core said what the leader said. */
static void compare(const struct mpu_hall_core *core, const struct mpu_said *first,
                    struct mpu_told *told)
{
    if (!core->differ && number_at(core) == told->number && mpu_same_said(&core->said, first))
        return;
    told->kind = NULL;
    if (core->said.bytes != first->bytes)
        told->other = core->said.bytes;
    else if (core->differ && core->other != first->bytes)
        told->other = core->other;
}

/* A core that arrives adds one, and the digest of what its members said: so the line that all cores
 * share tells, without a look at each core's own, that all said the same. Above is the number of
 * the round, by which one that takes its core back sees that the release has come. */
#define SUM   (((uint64_t)1 << 48) - 1)
#define CORE  (SUM + 1)
#define ROUND ((uint64_t)1 << 56)

static uint64_t digest(const struct mpu_hall_core *core)
{
    const struct mpu_said *s = &core->said;
    uint64_t mixed = (uint64_t)(uintptr_t)s->kind * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ s->bytes ^ (uint64_t)number_at(core) << 40) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ s->terms) * UINT64_C(0x94d049bb133111eb);
    return (mixed >> 24) + core->differ; /* 40 bits, of at most 255 cores */
}

/* h->arrived when nobody has come for this round. */
static uint64_t base(unsigned int round)
{
    return (round - 1) * ROUND;
}

static bool all_here(const struct mpu_hall *h, uint64_t arrived)
{
    return arrived % ROUND / CORE == (uint64_t)h->cores;
}

bool mpu_hall_alike(struct mpu_hall *h, const struct mpu_rank *r, struct mpu_told *told)
{
    const struct mpu_hall_core *core = mpu_hall_core_of(h, r);
    const struct mpu_said *s = &core->said;
    uint64_t sum = atomic_load_explicit(&h->arrived, memory_order_relaxed) & SUM;
    if (!core->differ && sum == (uint64_t)h->cores * digest(core)) {
        *told = (struct mpu_told){s->kind, s->bytes, s->bytes, number_at(core)};
        return true;
    }
    *told = (struct mpu_told){h->first.kind, h->first.bytes, h->first.bytes, h->number};
    for (int i = 0; i < h->cores; i++)
        compare(h->used[i], &h->first, told);
    return told->kind;
}

const void *mpu_hall_shown(const struct mpu_hall *h, int i)
{
    struct mpu_seat s = h->seats[i];
    return h->core[s.core].shown[s.seat];
}

/* A copy for each size that is common, because there are many of them. */
static void spread(uint8_t *to, const uint8_t *from, const int *member, int n, uint64_t bytes)
{
    if (bytes == sizeof(uint32_t)) {
        for (int i = 0; i < n; i++)
            ((uint32_t *)to)[member[i]] = ((const uint32_t *)from)[i];
    } else if (bytes == sizeof(uint64_t)) {
        for (int i = 0; i < n; i++)
            ((uint64_t *)to)[member[i]] = ((const uint64_t *)from)[i];
    } else {
        for (int i = 0; i < n; i++)
            memcpy(to + (uint64_t)member[i] * bytes, from + (uint64_t)i * bytes, bytes);
    }
}

void *mpu_hall_operands(struct mpu_hall *h, uint64_t n)
{
    for (int i = 0; i < h->cores; i++) {
        const struct mpu_hall_core *core = h->used[i];
        spread(h->work, core->operands[core->round % 2], core->member, core->members, n);
    }
    return h->work;
}

/* On that core. */
static void let_go(struct mpu_hall *h, struct mpu_hall_core *core, unsigned int round)
{
    core->agreed = h->told[round % 2].kind;
    core->round = round;
    set_at(core, 0);
    k_crowd_release(&core->crowd);
}

void mpu_hall_release(struct mpu_hall *h, struct mpu_rank *r, const struct mpu_told *told)
{
    unsigned int generation = atomic_load_explicit(&h->generation, memory_order_relaxed) + 1;
    struct mpu_hall_core *own = mpu_hall_core_of(h, r);
    h->told[generation % 2] = *told;
    atomic_store_explicit(&h->arrived, base(generation + 1), memory_order_relaxed);
    atomic_store(&h->generation, generation);
    for (int i = 0; i < h->cores; i++)
        if (h->used[i] != own && atomic_load(&h->used[i]->sleeps))
            mpu_ring(h->used[i]->watcher);
    let_go(h, own, generation);
}

static unsigned int generation(const struct mpu_hall *h)
{
    return atomic_load_explicit(&h->generation, memory_order_acquire);
}

/* Looks for the release `round` as long as the port says that a core which waits should, and lets
 * others of the core run meanwhile. False: in vain. */
static bool looks(struct mpu_hall *h, struct mpu_rank *r, unsigned int round)
{
    uint64_t end = 0;
    if (r->cluster->info.spin_cycles == 0)
        return false;
    for (unsigned int i = 1;; i++) {
        if (generation(h) == round)
            return true;
        k_thread_pass();
        if (i % LOOKS_PER_POLL == 0)
            mpu_poll(r);
        if (i % LOOKS_PER_CLOCK == 0) {
            uint64_t now = k_time_cycles();
            end = end == 0 ? now + r->cluster->info.spin_cycles : end;
            if (now >= end)
                return false;
        }
    }
}

/* The visitor is no longer counted; false: all have arrived, the release comes. A core that was
 * counted as a whole is taken back with what it said, unless it was the last one. */
static bool retract(struct mpu_hall *h, struct mpu_hall_core *core, const struct mpu_visit *v)
{
    if (core->arrived > 0) {
        if (--core->arrived == 0)
            set_at(core, 0);
        return true;
    }
    uint64_t n = atomic_load(&h->arrived), one = CORE + digest(core);
    do {
        if (n / ROUND != base(v->round) / ROUND || all_here(h, n))
            return false;
    } while (!atomic_compare_exchange_weak(&h->arrived, &n, n - one));
    core->arrived = core->members - 1;
    if (core->arrived == 0)
        set_at(core, 0);
    return true;
}

static void ring_all(const struct mpu_rank *r)
{
    for (int i = 0; i < r->cluster->locals; i++)
        if (&r->cluster->ranks[i] != r)
            mpu_ring(&r->cluster->ranks[i]);
}

/* Whoever was woken and not released: does it leave? Because it is in doubt, or because others of
 * its core are further on and have put it out. */
static __attribute__((noinline)) bool leaves(struct mpu_hall *h, struct mpu_rank *r,
                                             struct mpu_visit *v)
{
    struct mpu_hall_core *core = mpu_hall_core_of(h, r);
    if (core->round == v->round || !v->doubts)
        return false;
    v->left = mpu_hall_at(core) != v->number + 1 || (v->doubts(v->arg) && retract(h, core, v));
    if (v->left)
        ring_all(r); /* somebody may wait for that: mpu_hall_clear */
    return v->left;
}

static void watch(struct mpu_hall *h, struct mpu_rank *r, struct mpu_visit *v)
{
    struct mpu_hall_core *core = mpu_hall_core_of(h, r);
    unsigned int round = v->round;
    while (!looks(h, r, round) && generation(h) != round) {
        if (leaves(h, r, v))
            return;
        if (mpu_poll(r))
            continue;
        core->watcher = r;
        atomic_store(&core->sleeps, true);
        if (atomic_load(&h->generation) != round)
            mpu_rest(r, NULL);
        atomic_store(&core->sleeps, false);
    }
    let_go(h, core, round);
    if (!core->agreed)
        ring_all(r); /* as above */
}

/* The rank may have more to do meanwhile than to wait, or was rung. */
static __attribute__((noinline)) void stay_busy(struct mpu_hall *h, struct mpu_rank *r,
                                                struct mpu_visit *v)
{
    struct mpu_hall_core *core = mpu_hall_core_of(h, r);
    unsigned int round = v->round;
    while (core->round != round && !leaves(h, r, v)) {
        if (mpu_poll(r) || core->round == round)
            continue;
        mpu_rest(r, &core->crowd);
    }
}

/* What others of its core do from here on wakes the rank, or lets it go. */
static inline void stay(struct mpu_hall *h, struct mpu_hall_core *core, struct mpu_rank *r,
                        struct mpu_visit *v)
{
    if (!r->advance && !r->pause && !r->uneasy && !r->cluster->network) {
        mpu_note(r, MPU_WAITS);
        mpu_patience_begin(&r->cluster->patience);
        k_crowd_wait(&core->crowd, &r->bell);
        mpu_note(r, MPU_RUNS);
    }
    if (core->round != v->round)
        stay_busy(h, r, v);
}

/* Of a leader. */
struct gathering {
    struct mpu_hall *hall;
    struct mpu_rank *leader;
    struct mpu_visit *visit;
};

static bool gathered(void *arg)
{
    const struct gathering *g = arg;
    return all_here(g->hall, atomic_load(&g->hall->arrived)) ||
           leaves(g->hall, g->leader, g->visit);
}

static bool count_core(struct mpu_hall *h, const struct mpu_hall_core *core)
{
    uint64_t one = CORE + digest(core);
    return all_here(h, atomic_fetch_add(&h->arrived, one) + one);
}

/* The rank is the last of its core, or one of several clusters is here: then the leader waits for
 * all, and nobody need watch on its core. */
static __attribute__((noinline)) bool meet_on(struct mpu_hall *h, struct mpu_rank *r, bool last,
                                              struct mpu_visit *v)
{
    struct mpu_hall_core *core = mpu_hall_core_of(h, r);
    bool several = h->clusters > 1;
    if (last)
        core->arrived = 0;
    bool all = last && count_core(h, core);
    if (all && !several)
        return true;
    if (all && r != h->leader)
        mpu_ring(h->leader);
    if (several && r == h->leader)
        mpu_until(r, gathered, &(struct gathering){h, r, v});
    else if (last && !(several && r->core == h->leader->core))
        watch(h, r, v);
    else
        stay_busy(h, r, v);
    return several && r == h->leader && !v->left;
}

static __attribute__((noinline)) void note_other(struct mpu_hall_core *core,
                                                 const struct mpu_said *said)
{
    if (!core->differ || core->other == core->said.bytes)
        core->other = said->bytes;
    core->differ = true;
}

/* Members of this core are at another operation: those who are behind are put out. False: that is
 * who comes. */
static __attribute__((noinline)) bool put_out(struct mpu_hall_core *core, const struct mpu_rank *r,
                                              uint32_t number)
{
    if ((int32_t)(number - number_at(core)) < 0)
        return false;
    core->arrived = 0;
    ring_all(r);
    return true;
}

/* Of who comes first: what mpu_hall_said and mpu_hall_doing tell of those who come straight. */
static inline void tell_later_ones(struct mpu_hall_core *core, const struct mpu_visit *v,
                                   const struct mpu_doing *doing)
{
    core->words = v->words ? *v->words : (struct mpu_words){.kind = NULL};
    core->call = doing->call;
    core->comm = doing->comm;
}

/* False: it does not fit in. */
static inline bool join_core(struct mpu_hall_core *core, const struct mpu_rank *r,
                             const struct mpu_said *said, const struct mpu_visit *v,
                             const struct mpu_doing *doing)
{
    if (core->arrived && number_at(core) != v->number && !put_out(core, r, v->number))
        return false;
    if (core->arrived == 0) {
        core->said = *said;
        if (!LWMPI_SMALL)
            tell_later_ones(core, v, doing);
        set_at(core, v->number + 1);
        core->differ = false;
    } else if (!mpu_same_said(&core->said, said)) {
        note_other(core, said);
    }
    return true;
}

/* Counted in. Waits for the release, or leaves. */
static enum mpu_met stay_until(struct mpu_hall *h, struct mpu_rank *r, struct mpu_visit *v,
                               const struct mpu_doing *doing)
{
    struct mpu_hall_core *core = mpu_hall_core_of(h, r);
    bool releases = false, last = core->arrived == core->members;
    r->meeting = doing;
    r->awaited = NULL;
    if (last || h->clusters > 1)
        releases = meet_on(h, r, last, v);
    else
        stay(h, core, r, v);
    r->meeting = NULL;
    if (v->left)
        return MPU_MET_LEFT;
    if (!releases)
        return core->agreed ? MPU_MET : MPU_MET_DIFFER;
    r->doing = *doing;
    return MPU_MET_LAST;
}

static bool arrive(struct mpu_hall *h, struct mpu_rank *r, const struct mpu_said *said,
                   struct mpu_visit *v, const struct mpu_doing *doing)
{
    struct mpu_hall_core *core = mpu_hall_core_of(h, r);
    v->round = core->round + 1;
    if (!join_core(core, r, said, v, doing))
        return false;
    if (r == h->leader) {
        h->first = *said;
        h->number = v->number;
    }
    core->arrived++;
    return true;
}

enum mpu_met mpu_hall_meet(struct mpu_hall *h, struct mpu_rank *r, const struct mpu_said *said,
                           struct mpu_visit *v, const char *call, const char *comm)
{
    struct mpu_doing doing = {call, comm, MPU_ANY, MPU_ANY, said->bytes};
    v->left = !v->counted && !arrive(h, r, said, v, &doing);
    return v->left ? MPU_MET_LEFT : stay_until(h, r, v, &doing);
}

static bool here(const struct mpu_hall *h, uint32_t number)
{
    for (int i = 0; i < h->cores; i++)
        if (mpu_hall_at(h->used[i]) == number + 1)
            return true;
    return false;
}

struct clearing {
    const struct mpu_hall *hall;
    uint32_t number;
};

static bool clear(void *arg)
{
    const struct clearing *c = arg;
    return !here(c->hall, c->number);
}

void mpu_hall_clear(struct mpu_hall *h, struct mpu_rank *r, uint32_t number)
{
    mpu_until(r, clear, &(struct clearing){h, number});
}
