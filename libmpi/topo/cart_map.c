/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/comm.h"
#include "topo/topo_make.h"

#pragma weak MPI_Cart_map = PMPI_Cart_map

int PMPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank)
{
    static const char call[] = "MPI_Cart_map";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int size, rc = mpi_check_intra(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, newrank, "newrank")) ||
        (rc = mpi_check_grid(c, call, ndims, dims, periods, &size)))
        return rc;
    *newrank = c->p2p.rank < size ? c->p2p.rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
