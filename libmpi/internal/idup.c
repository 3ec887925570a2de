/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "internal/comm.h"
#include "internal/hint.h"
#include "internal/idup.h"

/* The tree of mpi_meet_bcast from member 0, step by step. Several may be under way on one
 * communicator: each has a tag of its own, the same on all ranks, which all make them in one
 * order. */
struct idup {
    struct mpi_request base;
    struct mpi_process *p;
    struct mpi_group all; /* who takes part: both groups of an intercommunicator */
    struct mpu_comm world;
    int tag;
    struct mpi_comm *made; /* without contexts until the id is here */
    uint32_t id;
    bool known;
    int parent_bit, children;
    struct mpu_request from;
    struct mpu_request to[]; /* one per child */
};

static void tell(struct idup *d)
{
    int n = 0, me = d->all.rank;
    for (int bit = d->parent_bit / 2; bit; bit /= 2)
        if (me + bit < d->all.size)
            mpu_send_start(d->p->rank, &d->to[n++], &d->world, mpi_group_world(&d->all, me + bit),
                           d->tag, &d->id, sizeof d->id);
}

static bool learned(struct idup *d)
{
    if (d->known)
        return true;
    if (!mpu_done(&d->from))
        return false;
    d->known = true;
    if (d->from.error)
        d->id = (uint32_t)MPI_ID_NONE;
    tell(d);
    return true;
}

static bool poll(struct mpi_request *q)
{
    struct idup *d = (struct idup *)q;
    if (!learned(d))
        return false;
    for (int i = 0; i < d->children; i++)
        if (!mpu_done(&d->to[i]))
            return false;
    bool leads = d->all.rank == 0; /* then the communicator had its id from the start */
    if (d->id == (uint32_t)MPI_ID_NONE || (!leads && mpi_comm_id_used(d->p, d->id)))
        q->error = MPI_ERR_NO_MEM;
    else if (!leads)
        mpi_comm_set_id(d->p, d->made, d->id);
    return true;
}

static void end(struct mpi_request *q)
{
    struct idup *d = (struct idup *)q;
    mpi_group_drop(d->p, &d->all);
    if (q->error && d->made)
        mpi_comm_release(d->p, d->made);
}

static const struct mpi_request_kind kind = {.name = "MPI_Comm_idup", .poll = poll, .free = end};

static int prepare(struct idup *d, struct mpi_comm *c, int bit)
{
    struct mpi_process *p = d->p;
    d->world = (struct mpu_comm){.context = c->id * MPI_CONTEXTS + MPI_CONTEXT_MAKE,
                                 .rank = mpu_rank_number(p->rank),
                                 .size = mpu_ranks(p->rank),
                                 .name = c->p2p.name};
    c->idups = c->idups < INT32_MAX ? c->idups + 1 : 1; /* 0 is the tag of meetings */
    d->tag = c->idups;
    d->parent_bit = bit;
    d->id = d->all.rank == 0 ? mpi_comm_take_id(p) : (uint32_t)MPI_ID_NONE;
    d->made = mpi_comm_new(p, c, d->id, "a communicator made by MPI_Comm_idup", &c->group,
                           c->inter ? &c->remote : NULL);
    return d->made ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static void start(struct idup *d)
{
    d->base.flags |= MPI_REQUEST_ACTIVE;
    d->known = d->all.rank == 0;
    if (d->known)
        tell(d);
    else
        mpu_recv_start(d->p->rank, &d->from, &d->world,
                       mpi_group_world(&d->all, d->all.rank - d->parent_bit), d->tag, &d->id,
                       sizeof d->id);
    mpi_request_watch(d->p, &d->base);
}

int mpi_comm_idup(struct mpi_process *p, const char *call, struct mpi_comm *c,
                  const struct mpi_info *hints, MPI_Comm *newcomm, MPI_Request *request)
{
    struct mpi_group all = mpi_group_share(&c->group);
    if (c->inter) {
        mpi_group_drop(p, &all);
        if (mpi_comm_both(p, &c->group, &c->remote, &all))
            return mpi_error_below(c, -B_ENOMEM, call);
    }
    int bit = 1, children = 0;
    while (bit < all.size && !(all.rank & bit))
        bit *= 2;
    for (int b = bit / 2; b; b /= 2)
        children += all.rank + b < all.size;
    struct idup *d =
        mpi_request_new(p, call, &kind, c, sizeof *d + (size_t)children * sizeof d->to[0]);
    if (!d) {
        mpi_group_drop(p, &all);
        return MPI_ERR_NO_MEM;
    }
    d->p = p;
    d->all = all;
    d->children = children;
    int rc = prepare(d, c, bit);
    if (rc)
        return mpi_request_give(p, call, &d->base, rc, request);
    mpi_hints_take(d->made, hints);
    *newcomm = mpi_comm_handle(p, d->made);
    start(d);
    *request = mpi_request_handle(&d->base);
    return mpi_comm_inherit(p, call, c, d->made);
}
