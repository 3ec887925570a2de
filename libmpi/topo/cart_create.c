/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/comm.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Cart_create = PMPI_Cart_create

/* Ranks keep their order: the clusters lie in it. */
int PMPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                     int reorder, MPI_Comm *comm_cart)
{
    static const char call[] = "MPI_Cart_create";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    (void)reorder;
    struct mpi_comm *c;
    struct mpi_topo *t;
    int size, rc = mpi_check_intra(p, call, comm_old, &c);
    if (rc || (rc = mpi_check_out(c, call, comm_cart, "comm_cart")))
        return rc;
    *comm_cart = MPI_COMM_NULL;
    if ((rc = mpi_check_grid(c, call, ndims, dims, periods, &size)))
        return rc;
    t = mpi_topo_cart(p, ndims, dims, periods);
    return mpi_topo_make(p, call, c, t, size, comm_cart);
}
