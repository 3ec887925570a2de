/* SPDX-License-Identifier: MIT */
#include "comm/topo.h"

struct mpi_topo *mpi_topo_share(struct mpi_topo *t)
{
    if (t)
        t->refs++;
    return t;
}

void mpi_topo_drop(struct mpi_process *p, struct mpi_topo *t)
{
    if (t && --t->refs == 0)
        mpi_free(p, t);
}

/* Row-major: the last dimension varies fastest. */
void mpi_cart_coords(const struct mpi_topo *t, int rank, int *coords)
{
    for (int d = t->u.cart.ndims - 1; d >= 0; d--) {
        coords[d] = rank % t->u.cart.dims[d];
        rank /= t->u.cart.dims[d];
    }
}

int mpi_cart_rank(const struct mpi_topo *t, const int *coords)
{
    int rank = 0;
    for (int d = 0; d < t->u.cart.ndims; d++) {
        int n = t->u.cart.dims[d], at = coords[d];
        if (at < 0 || at >= n) {
            if (!t->u.cart.periods[d])
                return MPI_PROC_NULL;
            at = (at % n + n) % n;
        }
        rank = rank * n + at;
    }
    return rank;
}

int mpi_cart_shift(const struct mpi_comm *c, int d, int64_t steps)
{
    const struct mpi_topo *t = c->topo;
    int n = t->u.cart.dims[d], stride = 1;
    for (int i = d + 1; i < t->u.cart.ndims; i++)
        stride *= t->u.cart.dims[i];
    int at = c->p2p.rank / stride % n;
    int64_t to = at + steps;
    if (to < 0 || to >= n) {
        if (!t->u.cart.periods[d])
            return MPI_PROC_NULL;
        to = (to % n + n) % n;
    }
    return c->p2p.rank + ((int)to - at) * stride;
}

void mpi_topo_degrees(const struct mpi_comm *c, int *in, int *out)
{
    const struct mpi_topo *t = c->topo;
    int me = c->p2p.rank;
    if (t->kind == MPI_DIST_GRAPH) {
        *in = t->u.dist.in;
        *out = t->u.dist.out;
    } else if (t->kind == MPI_CART) {
        *in = *out = 2 * t->u.cart.ndims;
    } else {
        *in = *out = t->u.graph.index[me] - (me ? t->u.graph.index[me - 1] : 0);
    }
}

void mpi_topo_neighbours(const struct mpi_comm *c, int *sources, int *destinations)
{
    const struct mpi_topo *t = c->topo;
    int in, out, me = c->p2p.rank;
    mpi_topo_degrees(c, &in, &out);
    if (t->kind == MPI_DIST_GRAPH) {
        for (int i = 0; i < in; i++)
            sources[i] = t->u.dist.sources[i];
        for (int i = 0; i < out; i++)
            destinations[i] = t->u.dist.destinations[i];
        return;
    }
    const int *edges =
        t->kind == MPI_GRAPH ? t->u.graph.edges + (me ? t->u.graph.index[me - 1] : 0) : NULL;
    for (int i = 0; i < in; i++)
        sources[i] = destinations[i] = edges ? edges[i] : mpi_cart_shift(c, i / 2, i % 2 ? 1 : -1);
}
