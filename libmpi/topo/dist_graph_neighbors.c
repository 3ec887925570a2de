/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Dist_graph_neighbors = PMPI_Dist_graph_neighbors

static int check(struct mpi_comm *c, const char *call, int n, const void *ranks, const char *name,
                 const int *weights, const void *to_weights)
{
    int rc = n ? mpi_check_out(c, call, ranks, name) : MPI_SUCCESS;
    return rc || !n || !weights ? rc : mpi_check_out(c, call, to_weights, "weights");
}

static void give(int n, const int *ranks, const int *weights, int *to, int *to_weights)
{
    for (int i = 0; i < n; i++)
        to[i] = ranks[i];
    if (weights && to_weights != MPI_UNWEIGHTED && to_weights != MPI_WEIGHTS_EMPTY)
        for (int i = 0; i < n; i++)
            to_weights[i] = weights[i];
}

int PMPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int *sourceweights,
                              int maxoutdegree, int destinations[], int *destweights)
{
    static const char call[] = "MPI_Dist_graph_neighbors";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_topo(p, call, comm, MPI_DIST_GRAPH, &c);
    if (rc)
        return rc;
    const struct mpi_topo *t = c->topo;
    if (maxindegree < 0 || maxoutdegree < 0)
        return mpi_error(c, MPI_ERR_ARG, call, "maxindegree %d, maxoutdegree %d", maxindegree,
                         maxoutdegree);
    int in = maxindegree < t->u.dist.in ? maxindegree : t->u.dist.in;
    int out = maxoutdegree < t->u.dist.out ? maxoutdegree : t->u.dist.out;
    if ((rc = check(c, call, in, sources, "sources", t->u.dist.source_weights, sourceweights)) ||
        (rc = check(c, call, out, destinations, "destinations", t->u.dist.destination_weights,
                    destweights)))
        return rc;
    give(in, t->u.dist.sources, t->u.dist.source_weights, sources, sourceweights);
    give(out, t->u.dist.destinations, t->u.dist.destination_weights, destinations, destweights);
    return MPI_SUCCESS;
}
