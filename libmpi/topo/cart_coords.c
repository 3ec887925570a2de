/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Cart_coords = PMPI_Cart_coords

int PMPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[])
{
    static const char call[] = "MPI_Cart_coords";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_topo(p, call, comm, MPI_CART, &c);
    if (rc || (rc = mpi_check_member(c, call, rank)))
        return rc;
    const struct mpi_topo *t = c->topo;
    int n = t->u.cart.ndims;
    if (maxdims < n)
        return mpi_error(c, MPI_ERR_ARG, call, "maxdims %d, but there are %d dimensions", maxdims,
                         n);
    if (n && (rc = mpi_check_out(c, call, coords, "coords")))
        return rc;
    mpi_cart_coords(t, rank, coords);
    return MPI_SUCCESS;
}
