/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/mem.h>

#include "comm/comm.h"
#include "comm/hint.h"
#include "comm/idup.h"

#define CHILDREN 20 /* most of a rank, of a million ranks */

/* The tree of mpi_meet_all and mpi_meet_bcast with member 0 as root, step by step: whether each
 * rank has memory goes up, and the id, or that there is none, comes down. Several may be under way
 * on one communicator: each has a tag of its own, the same on all ranks, which all make them in one
 * order. */
struct child {
    struct mpu_request up, down;
    int class; /* MPI_SUCCESS, or why one of those behind it cannot have the communicator */
};

struct idup {
    struct mpi_request base;
    struct mpi_process *p;
    struct mpi_group all; /* who takes part: both groups of an intercommunicator */
    struct mpu_comm world;
    int tag;
    struct mpi_comm *made; /* without contexts until the id is here; NULL: no memory */
    uint32_t id;
    int class; /* of this rank and those behind it */
    enum { UP, ASKED, DOWN } stage;
    int parent_bit, children;
    struct mpu_request to_parent, from_parent;
    struct child child[]; /* the farthest first */
};

static int parent(const struct idup *d)
{
    return mpi_group_world(&d->all, d->all.rank - d->parent_bit);
}

/* The world rank of the n-th child; those beyond the group are left out. */
static int child(const struct idup *d, int n)
{
    int bit = d->parent_bit / 2;
    while (d->all.rank + bit >= d->all.size)
        bit /= 2;
    return mpi_group_world(&d->all, d->all.rank + (bit >> n));
}

static void tell(struct idup *d)
{
    for (int n = 0; n < d->children; n++)
        mpu_send_start(d->p->rank, &d->child[n].down, &d->world, child(d, n), d->tag, &d->id,
                       sizeof d->id);
    d->stage = DOWN;
}

/* All children have said whether they have memory. */
static bool heard(struct idup *d)
{
    for (int n = 0; n < d->children; n++)
        if (!mpu_done(&d->child[n].up))
            return false;
    for (int n = 0; n < d->children && !d->class; n++)
        d->class = d->child[n].up.error ? MPI_ERR_OTHER : d->child[n].class;
    return true;
}

static void go_up(struct idup *d)
{
    struct mpu_rank *r = d->p->rank;
    if (d->all.rank == 0) {
        d->id = d->class ? (uint32_t)MPI_ID_NONE : d->id;
        tell(d);
        return;
    }
    mpu_recv_start(r, &d->from_parent, &d->world, parent(d), d->tag, &d->id, sizeof d->id);
    mpu_send_start(r, &d->to_parent, &d->world, parent(d), d->tag, &d->class, sizeof d->class);
    d->stage = ASKED;
}

static bool learned(struct idup *d)
{
    if (!mpu_done(&d->from_parent) || !mpu_done(&d->to_parent))
        return false;
    if (d->from_parent.error || d->to_parent.error)
        d->id = (uint32_t)MPI_ID_NONE;
    tell(d);
    return true;
}

static bool poll(struct mpi_request *q)
{
    struct idup *d = (struct idup *)q;
    if (d->stage == UP && heard(d))
        go_up(d);
    if (d->stage == ASKED)
        learned(d);
    if (d->stage != DOWN)
        return false;
    for (int n = 0; n < d->children; n++)
        if (!mpu_done(&d->child[n].down))
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

static const struct mpi_request_kind kind = {
    .name = "MPI_Comm_idup", .poll = poll, .free = end, .why = mpi_request_class_why};

static void prepare(struct idup *d, struct mpi_process *p, struct mpi_comm *c,
                    const struct mpi_group *all, int children, int bit)
{
    static const char *const name[] = MPI_COMM_MADE_BY("MPI_Comm_idup");
    d->p = p;
    d->all = *all;
    d->children = children;
    d->world = (struct mpu_comm){.context = c->id * MPI_CONTEXTS + MPI_CONTEXT_MAKE,
                                 .rank = mpu_rank_number(p->rank),
                                 .size = mpu_ranks(p->rank),
                                 .name = c->p2p.name};
    c->idups = c->idups < INT32_MAX ? c->idups + 1 : 1; /* 0 is the tag of meetings */
    d->tag = c->idups;
    d->parent_bit = bit;
    d->id = d->all.rank == 0 ? mpi_comm_take_id(p) : (uint32_t)MPI_ID_NONE;
    d->made = mpi_comm_new(p, c, d->id, name[c->inter], &c->group, c->inter ? &c->remote : NULL);
    d->class = d->made ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    d->stage = UP;
}

static void start(struct idup *d)
{
    d->base.flags |= MPI_REQUEST_ACTIVE;
    for (int n = 0; n < d->children; n++)
        mpu_recv_start(d->p->rank, &d->child[n].up, &d->world, child(d, n), d->tag,
                       &d->child[n].class, sizeof d->child[n].class);
    if (d->children == 0)
        go_up(d);
}

static bool over(void *arg)
{
    return poll(arg);
}

/* Without memory even for the request the rank takes part all the same, so that the others learn of
 * it; it waits for them, as nothing would go on with it later. */
static void refuse(struct mpi_process *p, struct mpi_comm *c, const struct mpi_group *all,
                   int children, int bit)
{
    _Alignas(struct idup) uint8_t memory[sizeof(struct idup) + CHILDREN * sizeof(struct child)];
    struct idup *d = (struct idup *)memory;
    memset(memory, 0, sizeof memory);
    prepare(d, p, c, all, children, bit);
    start(d);
    mpu_until(p->rank, over, d);
    if (d->made)
        mpi_comm_release(p, d->made);
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
        mpi_request_new(p, call, &kind, c, sizeof *d + (size_t)children * sizeof d->child[0]);
    if (!d) {
        refuse(p, c, &all, children, bit);
        mpi_group_drop(p, &all);
        return MPI_ERR_NO_MEM;
    }
    prepare(d, p, c, &all, children, bit);
    *newcomm = d->made ? mpi_comm_handle(p, d->made) : MPI_COMM_NULL;
    if (d->made)
        mpi_hints_take(d->made, hints);
    start(d);
    mpi_request_watch(p, &d->base);
    *request = mpi_request_handle(&d->base);
    return d->made ? mpi_comm_inherit(p, call, c, d->made) : MPI_SUCCESS;
}
