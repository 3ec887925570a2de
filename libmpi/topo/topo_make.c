/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"
#include "topo/topo_make.h"

struct mpi_topo *mpi_topo_new(struct mpi_process *p, int kind, size_t n)
{
    struct mpi_topo *t = mpi_alloc(p, sizeof *t + n * sizeof(int));
    if (t)
        *t = (struct mpi_topo){.refs = 1, .kind = kind};
    return t;
}

void mpi_topo_cart_arrays(struct mpi_topo *t, int ndims)
{
    t->u.cart.ndims = ndims;
    t->u.cart.dims = mpi_topo_room(t);
    t->u.cart.periods = t->u.cart.dims + ndims;
}

struct mpi_topo *mpi_topo_cart(struct mpi_process *p, int ndims, const int *dims,
                               const int *periods)
{
    struct mpi_topo *t = mpi_topo_new(p, MPI_CART, 2 * (size_t)ndims);
    if (!t)
        return NULL;
    mpi_topo_cart_arrays(t, ndims);
    for (int i = 0; i < ndims; i++) {
        t->u.cart.dims[i] = dims[i];
        t->u.cart.periods[i] = periods[i] != 0;
    }
    return t;
}

struct mpi_topo *mpi_topo_dist(struct mpi_process *p, int in, int out, bool weighted)
{
    size_t many = (size_t)in + (size_t)out;
    struct mpi_topo *t = mpi_topo_new(p, MPI_DIST_GRAPH, weighted ? 2 * many : many);
    if (!t)
        return NULL;
    int *room = mpi_topo_room(t);
    t->u.dist.in = in;
    t->u.dist.out = out;
    t->u.dist.weighted = weighted;
    t->u.dist.sources = room;
    t->u.dist.destinations = room + in;
    if (weighted) {
        t->u.dist.source_weights = room + many;
        t->u.dist.destination_weights = room + many + in;
    }
    return t;
}

int mpi_topo_make(struct mpi_process *p, const char *call, struct mpi_comm *c, struct mpi_topo *t,
                  int n, MPI_Comm *handle)
{
    static const char *const names[] = {"a communicator with a topology"};
    struct mpi_comm *made = NULL;
    int color = c->p2p.rank < n ? 0 : MPI_UNDEFINED;
    int rc = mpi_comm_split(p, call, names, c, t != NULL, color, 0, &made);
    if (rc || !made) {
        mpi_topo_drop(p, t);
        return rc;
    }
    made->topo = t;
    *handle = mpi_comm_handle(p, made);
    return MPI_SUCCESS;
}

int mpi_check_topo(struct mpi_process *p, const char *call, MPI_Comm comm, int kind,
                   struct mpi_comm **c)
{
    int rc = mpi_check_comm(p, call, comm, c);
    if (rc || ((*c)->topo && (*c)->topo->kind == kind))
        return rc;
    return mpi_error(*c, MPI_ERR_TOPOLOGY, call, "the communicator has no %s topology",
                     kind == MPI_CART    ? "Cartesian"
                     : kind == MPI_GRAPH ? "graph"
                                         : "distributed graph");
}

int mpi_check_member(struct mpi_comm *c, const char *call, int rank)
{
    if (rank >= 0 && rank < c->group.size)
        return MPI_SUCCESS;
    return mpi_error(c, MPI_ERR_RANK, call, "rank %d is not in 0..%d", rank, c->group.size - 1);
}

int mpi_check_grid(struct mpi_comm *c, const char *call, int ndims, const int *dims,
                   const int *periods, int *size)
{
    int64_t n = 1;
    int rc;
    if (ndims < 0)
        return mpi_error(c, MPI_ERR_DIMS, call, "%d dimensions", ndims);
    if (ndims && ((rc = mpi_check_out(c, call, dims, "dims")) ||
                  (rc = mpi_check_out(c, call, periods, "periods"))))
        return rc;
    for (int i = 0; i < ndims; i++) {
        if (dims[i] < 1)
            return mpi_error(c, MPI_ERR_DIMS, call, "dims[%d] = %d", i, dims[i]);
        n *= dims[i];
        if (n > c->group.size)
            return mpi_error(c, MPI_ERR_DIMS, call,
                             "the grid has more than the communicator's %d ranks", c->group.size);
    }
    *size = (int)n;
    return MPI_SUCCESS;
}

int mpi_check_graph(struct mpi_comm *c, const char *call, int nodes, const int *index,
                    const int *edges)
{
    int rc;
    if (nodes < 0 || nodes > c->group.size)
        return mpi_error(c, MPI_ERR_ARG, call, "%d nodes for %d ranks", nodes, c->group.size);
    if (nodes && (rc = mpi_check_out(c, call, index, "indx")))
        return rc;
    for (int i = 0; i < nodes; i++)
        if (index[i] < (i ? index[i - 1] : 0))
            return mpi_error(c, MPI_ERR_ARG, call, "indx[%d] = %d decreases", i, index[i]);
    int many = nodes ? index[nodes - 1] : 0;
    if (many && (rc = mpi_check_out(c, call, edges, "edges")))
        return rc;
    for (int i = 0; i < many; i++)
        if (edges[i] < 0 || edges[i] >= nodes)
            return mpi_error(c, MPI_ERR_ARG, call, "edges[%d] = %d is not in 0..%d", i, edges[i],
                             nodes - 1);
    return MPI_SUCCESS;
}

int mpi_check_edges(struct mpi_comm *c, const char *call, int n, const int *ranks, bool weighted,
                    const int *weights)
{
    if (n < 0 || (n && !ranks))
        return mpi_error(c, MPI_ERR_ARG, call, "%d ranks, or their list is a null pointer", n);
    for (int i = 0; i < n; i++)
        if (ranks[i] < 0 || ranks[i] >= c->group.size)
            return mpi_error(c, MPI_ERR_RANK, call, "rank %d is not in 0..%d", ranks[i],
                             c->group.size - 1);
    if (!n || !weighted)
        return MPI_SUCCESS;
    if (!weights || weights == MPI_WEIGHTS_EMPTY)
        return mpi_error(c, MPI_ERR_ARG, call, "no weights for %d edges", n);
    for (int i = 0; i < n; i++)
        if (weights[i] < 0)
            return mpi_error(c, MPI_ERR_ARG, call, "weight %d is negative", weights[i]);
    return MPI_SUCCESS;
}
