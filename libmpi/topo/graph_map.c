/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/comm.h"
#include "topo/topo_make.h"

#pragma weak MPI_Graph_map = PMPI_Graph_map

int PMPI_Graph_map(MPI_Comm comm, int nnodes, const int indx[], const int edges[], int *newrank)
{
    static const char call[] = "MPI_Graph_map";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_intra(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, newrank, "newrank")) ||
        (rc = mpi_check_graph(c, call, nnodes, indx, edges)))
        return rc;
    *newrank = c->p2p.rank < nnodes ? c->p2p.rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
