/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Graph_get = PMPI_Graph_get

int PMPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[])
{
    static const char call[] = "MPI_Graph_get";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_topo(p, call, comm, MPI_GRAPH, &c);
    if (rc)
        return rc;
    const struct mpi_topo *t = c->topo;
    int nodes = t->u.graph.nodes, many = t->u.graph.index[nodes - 1];
    if (maxindex < 0 || maxedges < 0)
        return mpi_error(c, MPI_ERR_ARG, call, "maxindex %d, maxedges %d", maxindex, maxedges);
    if ((maxindex && (rc = mpi_check_out(c, call, indx, "indx"))) ||
        (maxedges && (rc = mpi_check_out(c, call, edges, "edges"))))
        return rc;
    for (int i = 0; i < nodes && i < maxindex; i++)
        indx[i] = t->u.graph.index[i];
    for (int i = 0; i < many && i < maxedges; i++)
        edges[i] = t->u.graph.edges[i];
    return MPI_SUCCESS;
}
