/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Graph_neighbors_count = PMPI_Graph_neighbors_count

int PMPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors)
{
    static const char call[] = "MPI_Graph_neighbors_count";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_topo(p, call, comm, MPI_GRAPH, &c);
    if (rc || (rc = mpi_check_member(c, call, rank)) ||
        (rc = mpi_check_out(c, call, nneighbors, "nneighbors")))
        return rc;
    const int *index = c->topo->u.graph.index;
    *nneighbors = index[rank] - (rank ? index[rank - 1] : 0);
    return MPI_SUCCESS;
}
