/* SPDX-License-Identifier: MIT */
/* The board holds a set of forums in use, and behind it as many forums as fit; their numbers mean
 * the same in all clusters. Whoever arrives counts itself after it filled in its seat, so the last
 * one sees them all; it changes `release` after it wrote the result, and tells those that sleep. A
 * rank has its bell rung when that word changes. */
#include <base/error.h>
#include <mpiutil/forum.h>
#include <sys/k_board.h>
#include <sys/k_wait.h>

#include "rank/rank.h"

/* Forums at most; how often a rank lets others run before it goes to sleep: who sleeps has to be
 * woken, which takes longer than a turn of one that looks and finds nothing. */
enum { MOST = 64, PASSES = 4 };

struct head {
    _Alignas(KERN_LINE) _Atomic uint64_t taken; /* forums, as bits */
};

static size_t forum_bytes(int clusters)
{
    return sizeof(struct mpu_forum) + (size_t)clusters * sizeof(struct mpu_forum_seat);
}

size_t mpu_forums_bytes(int clusters)
{
    return sizeof(struct head) + MOST * forum_bytes(clusters);
}

struct mpu_forum *mpu_forum_at(int number)
{
    const struct mpu_cluster *c = mpu_cluster();
    size_t bytes = forum_bytes(c->info.clusters);
    size_t at = sizeof(struct head) + (size_t)number * bytes;
    bool there = number >= 0 && number < MOST && at + bytes <= c->board.bytes;
    return there ? (struct mpu_forum *)((uint8_t *)c->board.at + at) : NULL;
}

static _Atomic uint64_t *taken(void)
{
    return &((struct head *)mpu_cluster()->board.at)->taken;
}

int mpu_forum_take(void)
{
    for (int i = 0; mpu_forum_at(i); i++)
        if (!(atomic_fetch_or(taken(), UINT64_C(1) << i) >> i & 1))
            return i;
    return -B_ENOMEM;
}

void mpu_forum_leave(int number, int members)
{
    struct mpu_forum *f = mpu_forum_at(number);
    if (atomic_fetch_add(&f->left, 1) + 1 < (uint32_t)members)
        return;
    atomic_store(&f->left, 0);
    /* The next communicator has the same numbers for others. */
    for (int i = 0; i < members; i++)
        f->seat[i].motion.number = 0;
    atomic_fetch_and(taken(), ~(UINT64_C(1) << number));
}

struct visit {
    struct mpu_forum *forum;
    uint32_t seen, members;
    bool (*doubts)(void *arg);
    void *arg;
    bool left;
};

/* `arrived` when nobody has come for the release after this one. */
static uint32_t base(uint32_t seen)
{
    return seen << 16;
}

static bool retract(const struct visit *v)
{
    uint32_t n = atomic_load(&v->forum->arrived);
    do {
        if (n >> 16 != base(v->seen) >> 16 || n == base(v->seen) + v->members)
            return false;
    } while (!atomic_compare_exchange_weak(&v->forum->arrived, &n, n - 1));
    return true;
}

static bool released(void *arg)
{
    struct visit *v = arg;
    if (atomic_load(&v->forum->release) != v->seen)
        return true;
    v->left = v->doubts(v->arg) && retract(v);
    return v->left;
}

/* The release may come as soon as it is counted, so what to watch for is read before. Who releases
 * tells those who sleep: one says so before it looks at the word once more (k_board_watch), the
 * other changes the word before it looks who sleeps. */
enum mpu_forum_end mpu_forum_arrive(struct mpu_forum *f, struct mpu_rank *r,
                                    const struct mpu_comm *comm, bool (*doubts)(void *arg),
                                    void *arg)
{
    struct visit v = {f, atomic_load(&f->release), (uint32_t)comm->size, doubts, arg, false};
    if (atomic_fetch_add(&f->arrived, 1) + 1 == base(v.seen) + v.members)
        return MPU_FORUM_LAST;
    for (int i = 0; i < PASSES; i++) {
        if (atomic_load(&f->release) != v.seen)
            return MPU_FORUM_RELEASED;
        k_relax(0);
    }
    atomic_store(&f->seat[comm->rank].asleep, 1);
    struct k_watch w = {.word = &f->release, .value = v.seen, .bits = MPU_RUNG, .bell = &r->bell};
    k_board_watch(&w);
    mpu_until(r, released, &v);
    k_board_forget(&w);
    atomic_store_explicit(&f->seat[comm->rank].asleep, 0, memory_order_relaxed);
    return v.left ? MPU_FORUM_LEFT : MPU_FORUM_RELEASED;
}

void mpu_forum_release(struct mpu_forum *f, const struct mpu_rank *r, const struct mpu_comm *comm)
{
    atomic_store(&f->arrived, base(atomic_load(&f->release) + 1));
    atomic_fetch_add(&f->release, 1);
    for (int i = 0; i < comm->size; i++)
        if (atomic_load(&f->seat[i].asleep))
            k_board_tell(r->cluster->endpoint[mpu_comm_world(comm, i)].cluster);
}
