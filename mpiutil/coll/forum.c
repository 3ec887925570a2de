/* SPDX-License-Identifier: MIT */
/* The board holds a set of forums in use, and behind it as many forums as fit; their numbers mean
 * the same in all clusters. Whoever arrives counts itself after it wrote what it gives, so the last
 * one sees it all; it changes `release` after it wrote the result, and tells each cluster with a
 * member that waits. A rank has its bell rung when that word changes. */
#include <base/error.h>
#include <mpiutil/forum.h>
#include <sys/k_board.h>

#include "rank/rank.h"

enum { LINE = 64, MOST = 64 };

struct seat {
    _Alignas(LINE) struct mpu_motion motion; /* its member, before it arrives */
    _Alignas(16) uint8_t given[MPU_FORUM_BYTES];
};
_Static_assert(offsetof(struct seat, given) + 2 * sizeof(uint64_t) <= LINE,
               "what is given begins in the first line");

struct mpu_forum {
    _Alignas(LINE) _Atomic uint32_t arrived; /* members */
    _Atomic uint32_t left;                   /* members that never come again */
    _Alignas(LINE) _Atomic uint32_t release; /* how often they were let go */
    struct mpu_motion outcome;               /* the last one, before the release */
    _Alignas(16) uint8_t result[MPU_FORUM_BYTES];
    struct seat seat[]; /* by number of the member */
};

struct head {
    _Alignas(LINE) _Atomic uint64_t taken; /* forums, as bits */
};

static size_t forum_bytes(const struct mpu_cluster *c)
{
    return sizeof(struct mpu_forum) + (size_t)c->info.clusters * sizeof(struct seat);
}

int mpu_forum_count(void)
{
    const struct mpu_cluster *c = mpu_cluster();
    size_t room = c->board.bytes > sizeof(struct head) ? c->board.bytes - sizeof(struct head) : 0;
    size_t fit = room / forum_bytes(c);
    return fit < MOST ? (int)fit : MOST;
}

struct mpu_forum *mpu_forum_at(int number)
{
    const struct mpu_cluster *c = mpu_cluster();
    if (number < 0 || number >= mpu_forum_count())
        return NULL;
    uint8_t *first = (uint8_t *)c->board.at + sizeof(struct head);
    return (struct mpu_forum *)(first + (size_t)number * forum_bytes(c));
}

static _Atomic uint64_t *taken(void)
{
    return &((struct head *)mpu_cluster()->board.at)->taken;
}

int mpu_forum_take(void)
{
    int n = mpu_forum_count();
    if (n == 0)
        return -B_ENOMEM;
    for (int i = 0; i < n; i++) {
        uint64_t bit = UINT64_C(1) << i;
        if (!(atomic_fetch_or(taken(), bit) & bit))
            return i;
    }
    return -B_ENOMEM;
}

void mpu_forum_leave(int number, int members)
{
    struct mpu_forum *f = mpu_forum_at(number);
    if (atomic_fetch_add(&f->left, 1) + 1 < (uint32_t)members)
        return;
    atomic_store(&f->left, 0);
    atomic_fetch_and(taken(), ~(UINT64_C(1) << number));
}

void *mpu_forum_place(struct mpu_forum *f, int me)
{
    return f->seat[me].given;
}

const struct mpu_motion *mpu_forum_motion(const struct mpu_forum *f, int i)
{
    return &f->seat[i].motion;
}

const void *mpu_forum_given(const struct mpu_forum *f, int i)
{
    return f->seat[i].given;
}

void *mpu_forum_result(struct mpu_forum *f)
{
    return f->result;
}

const struct mpu_motion *mpu_forum_outcome(const struct mpu_forum *f)
{
    return &f->outcome;
}

/* The release may come as soon as it is counted, so what to watch for is read before. */
bool mpu_forum_arrive(struct mpu_forum *f, struct mpu_rank *r, const struct mpu_comm *comm,
                      const struct mpu_motion *m)
{
    f->seat[comm->rank].motion = *m;
    r->release = (struct k_watch){
        .word = &f->release, .value = atomic_load(&f->release), .bits = MPU_RUNG, .bell = &r->bell};
    if (atomic_fetch_add(&f->arrived, 1) + 1 == (uint32_t)comm->size)
        return true;
    k_board_watch(&r->release);
    return false;
}

/* A cluster with several members is told for each. */
void mpu_forum_release(struct mpu_forum *f, const struct mpu_rank *r, const struct mpu_comm *comm,
                       const struct mpu_motion *result)
{
    f->outcome = *result;
    atomic_store(&f->arrived, 0);
    atomic_fetch_add(&f->release, 1);
    for (int i = 0; i < comm->size; i++)
        if (i != comm->rank)
            k_board_tell(mpu_place(r->cluster, mpu_comm_world(comm, i)).cluster);
}

bool mpu_forum_released(struct mpu_forum *f, struct mpu_rank *r)
{
    if (atomic_load(&f->release) == r->release.value)
        return false;
    k_board_forget(&r->release);
    return true;
}
