/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/comm.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Graph_create = PMPI_Graph_create

static void fill(struct mpi_topo *t, int nodes, const int *index, int many, const int *edges)
{
    t->u.graph.nodes = nodes;
    t->u.graph.index = mpi_topo_room(t);
    t->u.graph.edges = t->u.graph.index + nodes;
    for (int i = 0; i < nodes; i++)
        t->u.graph.index[i] = index[i];
    for (int i = 0; i < many; i++)
        t->u.graph.edges[i] = edges[i];
}

/* Ranks keep their order. Every rank holds the whole graph, as its queries ask. */
int PMPI_Graph_create(MPI_Comm comm_old, int nnodes, const int indx[], const int edges[],
                      int reorder, MPI_Comm *comm_graph)
{
    static const char call[] = "MPI_Graph_create";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    (void)reorder;
    struct mpi_comm *c;
    int rc = mpi_check_intra(p, call, comm_old, &c);
    if (rc || (rc = mpi_check_out(c, call, comm_graph, "comm_graph")))
        return rc;
    *comm_graph = MPI_COMM_NULL;
    if ((rc = mpi_check_graph(c, call, nnodes, indx, edges)))
        return rc;
    int many = nnodes ? indx[nnodes - 1] : 0;
    struct mpi_topo *t = mpi_topo_new(p, MPI_GRAPH, (size_t)nnodes + (size_t)many);
    if (t)
        fill(t, nnodes, indx, many, edges);
    return mpi_topo_make(p, call, c, t, nnodes, comm_graph);
}
