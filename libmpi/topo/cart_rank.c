/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Cart_rank = PMPI_Cart_rank

int PMPI_Cart_rank(MPI_Comm comm, const int coords[], int *rank)
{
    static const char call[] = "MPI_Cart_rank";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_topo(p, call, comm, MPI_CART, &c);
    if (rc || (rc = mpi_check_out(c, call, rank, "rank")) ||
        (c->topo->u.cart.ndims && (rc = mpi_check_out(c, call, coords, "coords"))))
        return rc;
    int found = mpi_cart_rank(c->topo, coords);
    if (found == MPI_PROC_NULL)
        return mpi_error(c, MPI_ERR_ARG, call,
                         "coordinates are outside of a dimension that is not "
                         "periodic");
    *rank = found;
    return MPI_SUCCESS;
}
