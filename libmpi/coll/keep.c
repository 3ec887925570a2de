/* SPDX-License-Identifier: MIT */
/* Arrays of counts and displacements, for operations that outlive the call: programs give them on
 * their stacks, and the bindings of other languages make them for one call. */
#include <base/error.h>
#include <base/mem.h>

#include "coll/engine.h"

static size_t bytes(const struct mpi_numbers *a, int n)
{
    size_t each = a->large ? sizeof(MPI_Count) : sizeof(int);
    return a->at ? ((size_t)n * each + 7) / 8 * 8 : 0;
}

static uint8_t *take(struct mpi_numbers *a, int n, uint8_t *to)
{
    size_t size = bytes(a, n);
    if (!size)
        return to;
    memcpy(to, a->at, (size_t)n * (a->large ? sizeof(MPI_Count) : sizeof(int)));
    a->at = to;
    return to + size;
}

/* Reductions have counts of one side only, one per rank of the own group. */
static int length(const struct mpi_coll *c, const struct mpi_side *s)
{
    return s->blocks == MPI_COLL_ONE ? c->size : s->blocks;
}

int mpi_coll_keep(struct mpi_coll *c)
{
    int sends = length(c, &c->send), recvs = length(c, &c->recv);
    size_t all = bytes(&c->send.counts, sends) + bytes(&c->send.displs, sends) +
                 bytes(&c->recv.counts, recvs) + bytes(&c->recv.displs, recvs);
    if (!all)
        return MPI_SUCCESS;
    uint8_t *to = c->kept = mpi_alloc(c->p, all);
    if (!to)
        return mpi_error_below(c->comm, -B_ENOMEM, c->call);
    to = take(&c->send.counts, sends, to);
    to = take(&c->send.displs, sends, to);
    to = take(&c->recv.counts, recvs, to);
    take(&c->recv.displs, recvs, to);
    return MPI_SUCCESS;
}
