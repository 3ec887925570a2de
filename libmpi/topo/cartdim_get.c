/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Cartdim_get = PMPI_Cartdim_get

int PMPI_Cartdim_get(MPI_Comm comm, int *ndims)
{
    static const char call[] = "MPI_Cartdim_get";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_topo(p, call, comm, MPI_CART, &c);
    if (rc || (rc = mpi_check_out(c, call, ndims, "ndims")))
        return rc;
    *ndims = c->topo->u.cart.ndims;
    return MPI_SUCCESS;
}
