/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/comm.h"
#include "info/info.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Dist_graph_create_adjacent = PMPI_Dist_graph_create_adjacent

static bool is_unweighted(const int *weights)
{
    return weights == MPI_UNWEIGHTED;
}

static void fill(int *to, int *to_weights, int n, const int *from, const int *weights)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i];
    for (int i = 0; i < n && to_weights; i++)
        to_weights[i] = weights[i];
}

int PMPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
                                    const int *sourceweights, int outdegree,
                                    const int destinations[], const int *destweights, MPI_Info info,
                                    int reorder, MPI_Comm *comm_dist_graph)
{
    static const char call[] = "MPI_Dist_graph_create_adjacent";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    (void)reorder;
    struct mpi_comm *c;
    struct mpi_info *i;
    bool weighted = !is_unweighted(sourceweights) && !is_unweighted(destweights);
    int rc = mpi_check_intra(p, call, comm_old, &c);
    if (rc || (rc = mpi_check_info(p, c, call, info, true, &i)) ||
        (rc = mpi_check_out(c, call, comm_dist_graph, "comm_dist_graph")) ||
        (rc = mpi_check_edges(c, call, indegree, sources, weighted, sourceweights)) ||
        (rc = mpi_check_edges(c, call, outdegree, destinations, weighted, destweights)))
        return rc;
    if (is_unweighted(sourceweights) != is_unweighted(destweights))
        return mpi_error(c, MPI_ERR_ARG, call, "only one list of weights is MPI_UNWEIGHTED");
    *comm_dist_graph = MPI_COMM_NULL;
    struct mpi_topo *t = mpi_topo_dist(p, indegree, outdegree, weighted);
    if (t) {
        fill(t->u.dist.sources, t->u.dist.source_weights, indegree, sources, sourceweights);
        fill(t->u.dist.destinations, t->u.dist.destination_weights, outdegree, destinations,
             destweights);
    }
    return mpi_topo_make(p, call, c, t, c->group.size, comm_dist_graph);
}
