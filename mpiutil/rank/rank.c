/* SPDX-License-Identifier: MIT */
#include <sys/k_thread.h>

#include "rank/rank.h"

int mpu_rank_number(const struct mpu_rank *r)
{
    return r->number;
}

int mpu_world_size(const struct mpu_rank *r)
{
    return r->cluster->job->ranks;
}

int mpu_ranks(const struct mpu_rank *r)
{
    return svc_spawn_total(r->cluster->job);
}

int mpu_rank_program(const struct mpu_rank *r)
{
    return svc_spawn_program(r->cluster->job, r->number);
}

int mpu_universe(const struct mpu_rank *r)
{
    int universe = r->cluster->job->universe;
    return universe == 0 ? mpu_world_size(r) : universe;
}

int mpu_rank_cluster(const struct mpu_rank *r)
{
    return r->cluster->info.cluster;
}

int mpu_return(int value)
{
    return k_thread_return(value);
}

void mpu_rank_set_user(struct mpu_rank *r, void *user)
{
    r->head.user = user;
}

/* The report may look at any instant, also from a signal of this thread: it finds no call rather
 * than one with the rest of another. */
static void set_doing(struct mpu_rank *r, struct mpu_doing d)
{
    const char *call = d.call;
    r->doing.call = d.call = NULL;
    atomic_signal_fence(memory_order_release);
    r->doing = d;
    atomic_signal_fence(memory_order_release);
    r->doing.call = call;
}

void mpu_does(struct mpu_rank *r, const char *call, const struct mpu_comm *comm, int peer, int tag,
              uint64_t bytes)
{
    set_doing(r, (struct mpu_doing){call, comm, peer, tag, bytes, 0, false});
}

void mpu_did(struct mpu_rank *r)
{
    r->doing.call = NULL;
}

void mpu_asks(struct mpu_rank *r, const struct mpu_doing *d)
{
    struct mpu_doing asked = *d;
    asked.asks = true;
    asked.comm = NULL; /* it may be freed before the rank asks again */
    asked.context = d->comm ? d->comm->context : UINT32_MAX;
    if (d->comm && d->peer >= 0)
        asked.peer = mpu_comm_world(d->comm, d->peer);
    set_doing(r, asked);
    mpu_yield(r);
    if (r->notices & MPU_PAUSES)
        r->hooks.pause(false);
}
