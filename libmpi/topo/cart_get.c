/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Cart_get = PMPI_Cart_get

int PMPI_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[])
{
    static const char call[] = "MPI_Cart_get";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_topo(p, call, comm, MPI_CART, &c);
    if (rc)
        return rc;
    const struct mpi_topo *t = c->topo;
    int n = t->u.cart.ndims;
    if (maxdims < n)
        return mpi_error(c, MPI_ERR_ARG, call, "maxdims %d, but there are %d dimensions", maxdims,
                         n);
    if (n && ((rc = mpi_check_out(c, call, dims, "dims")) ||
              (rc = mpi_check_out(c, call, periods, "periods")) ||
              (rc = mpi_check_out(c, call, coords, "coords"))))
        return rc;
    for (int i = 0; i < n; i++) {
        dims[i] = t->u.cart.dims[i];
        periods[i] = t->u.cart.periods[i];
    }
    mpi_cart_coords(t, c->p2p.rank, coords);
    return MPI_SUCCESS;
}
