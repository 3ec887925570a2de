/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Cart_shift = PMPI_Cart_shift

int PMPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest)
{
    static const char call[] = "MPI_Cart_shift";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_topo(p, call, comm, MPI_CART, &c);
    if (rc || (rc = mpi_check_out(c, call, rank_source, "rank_source")) ||
        (rc = mpi_check_out(c, call, rank_dest, "rank_dest")))
        return rc;
    if (direction < 0 || direction >= c->topo->u.cart.ndims)
        return mpi_error(c, MPI_ERR_DIMS, call, "direction %d is not in 0..%d", direction,
                         c->topo->u.cart.ndims - 1);
    *rank_source = mpi_cart_shift(c, direction, -(int64_t)disp);
    *rank_dest = mpi_cart_shift(c, direction, disp);
    return MPI_SUCCESS;
}
