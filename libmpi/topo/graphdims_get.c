/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Graphdims_get = PMPI_Graphdims_get

int PMPI_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges)
{
    static const char call[] = "MPI_Graphdims_get";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_topo(p, call, comm, MPI_GRAPH, &c);
    if (rc || (rc = mpi_check_out(c, call, nnodes, "nnodes")) ||
        (rc = mpi_check_out(c, call, nedges, "nedges")))
        return rc;
    *nnodes = c->topo->u.graph.nodes;
    *nedges = c->topo->u.graph.index[*nnodes - 1];
    return MPI_SUCCESS;
}
