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

static struct mpu_hall_core *core_of(struct mpu_hall *h, const struct mpu_rank *r)
{
    return &h->core[r->core];
}

void *mpu_hall_operand(struct mpu_hall *h, const struct mpu_rank *r, uint64_t n)
{
    struct mpu_hall_core *core = core_of(h, r);
    return core->operands[core->round % 2] + (uint64_t)h->seat[r->local].seat * n;
}

void mpu_hall_show(struct mpu_hall *h, const struct mpu_rank *r, const void *at)
{
    core_of(h, r)->shown[h->seat[r->local].seat] = at;
}

static bool same(const struct mpu_said *a, const struct mpu_said *b)
{
    return a->kind == b->kind && a->bytes == b->bytes && a->terms == b->terms;
}

/* Into *told: whether those of a core said what the leader said. */
static void compare(const struct mpu_hall_core *core, const struct mpu_said *first,
                    struct mpu_said *told)
{
    if (!core->differ && same(&core->said, first))
        return;
    told->kind = NULL;
    if (core->said.bytes != first->bytes)
        told->terms = core->said.bytes;
    else if (core->differ && core->other != first->bytes)
        told->terms = core->other;
}

/* A core that arrives adds one, and the digest of what its members said: so the line that all cores
 * share tells, without a look at each core's own, that all said the same. */
#define SUM  (((uint64_t)1 << 48) - 1)
#define CORE (SUM + 1)

static uint64_t digest(const struct mpu_hall_core *core)
{
    const struct mpu_said *s = &core->said;
    uint64_t mixed = (uint64_t)(uintptr_t)s->kind * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ s->bytes) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ s->terms) * UINT64_C(0x94d049bb133111eb);
    return (mixed >> 24) + core->differ; /* 40 bits, of at most 255 cores */
}

static bool all_here(const struct mpu_hall *h, uint64_t arrived)
{
    return arrived / CORE == (uint64_t)h->cores;
}

bool mpu_hall_alike(struct mpu_hall *h, const struct mpu_rank *r, struct mpu_said *told)
{
    const struct mpu_hall_core *core = core_of(h, r);
    uint64_t sum = atomic_load_explicit(&h->arrived, memory_order_relaxed) & SUM;
    if (!core->differ && sum == (uint64_t)h->cores * digest(core)) {
        *told = (struct mpu_said){core->said.kind, core->said.bytes, core->said.bytes};
        return true;
    }
    *told = (struct mpu_said){h->first.kind, h->first.bytes, h->first.bytes};
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
    k_crowd_release(&core->crowd);
}

void mpu_hall_release(struct mpu_hall *h, struct mpu_rank *r, const struct mpu_said *told)
{
    unsigned int generation = atomic_load_explicit(&h->generation, memory_order_relaxed) + 1;
    struct mpu_hall_core *own = core_of(h, r);
    h->told[generation % 2] = *told;
    atomic_store_explicit(&h->arrived, 0, memory_order_relaxed);
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

static __attribute__((noinline)) void watch(struct mpu_hall *h, struct mpu_rank *r,
                                            unsigned int round)
{
    struct mpu_hall_core *core = core_of(h, r);
    while (!looks(h, r, round) && generation(h) != round) {
        if (mpu_poll(r))
            continue;
        core->watcher = r;
        atomic_store(&core->sleeps, true);
        if (atomic_load(&h->generation) != round)
            mpu_rest(r, NULL);
        atomic_store(&core->sleeps, false);
    }
    let_go(h, core, round);
}

/* The rank may have more to do meanwhile than to wait, or was rung. */
static __attribute__((noinline)) void stay_busy(struct mpu_hall_core *core, struct mpu_rank *r,
                                                unsigned int round)
{
    while (core->round != round) {
        if (mpu_poll(r) || core->round == round)
            continue;
        mpu_rest(r, &core->crowd);
    }
}

/* What others of its core do from here on wakes the rank, or lets it go. */
static inline void stay(struct mpu_hall_core *core, struct mpu_rank *r, unsigned int round)
{
    if (!r->advance && !r->pause && !r->cluster->network) {
        r->waits = true;
        k_crowd_wait(&core->crowd, &r->bell);
        r->waits = false;
    }
    if (core->round != round)
        stay_busy(core, r, round);
}

static bool full(void *arg)
{
    struct mpu_hall *h = arg;
    return all_here(h, atomic_load(&h->arrived));
}

static bool count_core(struct mpu_hall *h, const struct mpu_hall_core *core)
{
    uint64_t one = CORE + digest(core);
    return all_here(h, atomic_fetch_add(&h->arrived, one) + one);
}

/* The rank is the last of its core, or one of several clusters is here: then the leader waits for
 * all, and nobody need watch on its core. */
static __attribute__((noinline)) bool meet_on(struct mpu_hall *h, struct mpu_rank *r, bool last,
                                              unsigned int round)
{
    struct mpu_hall_core *core = core_of(h, r);
    bool several = h->clusters > 1;
    if (last)
        core->arrived = 0;
    bool all = last && count_core(h, core);
    if (all && !several)
        return true;
    if (all && r != h->leader)
        mpu_ring(h->leader);
    if (several && r == h->leader)
        mpu_until(r, full, h);
    else if (last && !(several && r->core == h->leader->core))
        watch(h, r, round);
    else
        stay_busy(core, r, round);
    return several && r == h->leader;
}

static __attribute__((noinline)) void note_other(struct mpu_hall_core *core,
                                                 const struct mpu_said *said)
{
    if (!core->differ || core->other == core->said.bytes)
        core->other = said->bytes;
    core->differ = true;
}

static inline void compare_with_first(struct mpu_hall_core *core, const struct mpu_said *said)
{
    if (core->arrived == 0) {
        core->said = *said;
        core->differ = false;
    } else if (!same(&core->said, said)) {
        note_other(core, said);
    }
}

enum mpu_met mpu_hall_meet(struct mpu_hall *h, struct mpu_rank *r, const struct mpu_said *said,
                           struct mpu_visit *v, const char *call, const char *comm)
{
    struct mpu_hall_core *core = core_of(h, r);
    unsigned int round = v->round = core->round + 1;
    bool releases = false;
    compare_with_first(core, said);
    if (r == h->leader)
        h->first = *said;
    struct mpu_doing doing = {call, comm, MPU_ANY, MPU_ANY, said->bytes};
    r->meeting = &doing;
    r->awaited = NULL;
    bool last = ++core->arrived == core->members;
    if (last || h->clusters > 1)
        releases = meet_on(h, r, last, round);
    else
        stay(core, r, round);
    r->meeting = NULL;
    if (!releases)
        return core->agreed ? MPU_MET : MPU_MET_DIFFER;
    r->doing = doing;
    return MPU_MET_LAST;
}
