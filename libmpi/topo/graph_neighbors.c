/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Graph_neighbors = PMPI_Graph_neighbors

int PMPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[])
{
    static const char call[] = "MPI_Graph_neighbors";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_topo(p, call, comm, MPI_GRAPH, &c);
    if (rc || (rc = mpi_check_member(c, call, rank)))
        return rc;
    if (maxneighbors < 0)
        return mpi_error(c, MPI_ERR_ARG, call, "maxneighbors %d is negative", maxneighbors);
    if (maxneighbors && (rc = mpi_check_out(c, call, neighbors, "neighbors")))
        return rc;
    const struct mpi_topo *t = c->topo;
    int first = rank ? t->u.graph.index[rank - 1] : 0, many = t->u.graph.index[rank] - first;
    for (int i = 0; i < many && i < maxneighbors; i++)
        neighbors[i] = t->u.graph.edges[first + i];
    return MPI_SUCCESS;
}
