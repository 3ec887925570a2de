/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Dist_graph_neighbors_count = PMPI_Dist_graph_neighbors_count

int PMPI_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted)
{
    static const char call[] = "MPI_Dist_graph_neighbors_count";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_topo(p, call, comm, MPI_DIST_GRAPH, &c);
    if (rc || (rc = mpi_check_out(c, call, indegree, "indegree")) ||
        (rc = mpi_check_out(c, call, outdegree, "outdegree")) ||
        (rc = mpi_check_out(c, call, weighted, "weighted")))
        return rc;
    *indegree = c->topo->u.dist.in;
    *outdegree = c->topo->u.dist.out;
    *weighted = c->topo->u.dist.weighted;
    return MPI_SUCCESS;
}
