/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "internal/bridge.h"

struct offer {
    int class; /* an error instead */
    int size;
    uint32_t id; /* the communicator's, if this side has the leader with the lower rank */
};

static bool leads(const struct mpi_bridge *b)
{
    return b->local.group->rank == b->leader;
}

/* After it every rank of the group has the other side's offer, with the id agreed. If the group
 * did not come together the other side is told. */
static int trade_offers(struct mpi_process *p, const struct mpi_bridge *b, struct offer *theirs)
{
    int rc = 0, able = MPI_SUCCESS, apart = mpi_meet_all(&b->local, b->leader, &able);
    if (leads(b) && b->class) {
        theirs->class = b->class;
    } else if (leads(b)) {
        struct offer mine = {.class = apart ? MPI_ERR_OTHER : MPI_SUCCESS,
                             .size = b->local.group->size,
                             .id = mpi_comm_take_id(p)};
        rc = mpi_meet_swap(&b->between, b->far, &mine, theirs, sizeof mine);
        if (mpu_rank_number(p->rank) < b->far)
            theirs->id = mine.id;
        if (rc)
            theirs->class = MPI_ERR_OTHER;
    }
    int told = apart ? apart : mpi_meet_bcast(&b->local, b->leader, theirs, sizeof *theirs);
    return rc ? rc : told;
}

static int trade_members(struct mpi_process *p, const struct mpi_bridge *b, int size,
                         struct mpi_group *remote)
{
    int n = b->local.group->size, rc = 0;
    struct mpi_ranks *here = mpi_ranks_new(p, n), *there = mpi_ranks_new(p, size);
    if (!here || !there) {
        mpi_free(p, here);
        mpi_free(p, there);
        return -B_ENOMEM;
    }
    for (int i = 0; i < n; i++)
        here->world[i] = mpi_group_world(b->local.group, i);
    size_t bytes = (size_t)n * sizeof(int), room = (size_t)size * sizeof(int);
    if (leads(b))
        rc = mpi_meet_trade(&b->between, b->far, here->world, bytes, there->world, room);
    if (!rc)
        rc = mpi_meet_bcast(&b->local, b->leader, there->world, room);
    mpi_free(p, here);
    *remote = mpi_group_of(p, there, size);
    return rc;
}

static bool overlap(const struct mpi_group *a, const struct mpi_group *b)
{
    for (int i = 0; i < a->size; i++)
        if (mpi_group_find(b, mpi_group_world(a, i)) != MPI_UNDEFINED)
            return true;
    return false;
}

int mpi_bridge(struct mpi_process *p, const struct mpi_bridge *b, struct mpi_comm **made)
{
    struct offer theirs = {0};
    struct mpi_group remote = {0};
    const char *call = b->local.call;
    int rc = trade_offers(p, b, &theirs);
    if (!rc && theirs.class)
        return b->class ? b->class
                        : mpi_error(b->parent, theirs.class, call, "a leader could not go on");
    if (!rc)
        rc = trade_members(p, b, theirs.size, &remote);
    if (rc)
        return mpi_meet_raise(&b->local, b->parent, rc);
    if (overlap(b->local.group, &remote))
        rc = mpi_error(b->parent, MPI_ERR_COMM, call, "a rank is in both groups");
    else if (theirs.id == (uint32_t)MPI_ID_NONE)
        rc = mpi_error(b->parent, MPI_ERR_NO_MEM, call,
                       "no context is left: too many communicators exist");
    else if (!(*made = mpi_comm_new(p, b->parent, theirs.id, b->name, b->local.group, &remote)))
        rc = mpi_error_below(b->parent, -B_ENOMEM, call);
    mpi_group_drop(p, &remote);
    return rc;
}
