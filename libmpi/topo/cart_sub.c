/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "comm/comm.h"
#include "comm/topo.h"
#include "topo/topo_make.h"

#pragma weak MPI_Cart_sub = PMPI_Cart_sub

/* The grid of the dimensions that remain; color: where the caller is along the others; key: its
 * rank in the new grid. */
static struct mpi_topo *sub_grid(struct mpi_process *p, const struct mpi_comm *c, const int *remain,
                                 int *color, int *key)
{
    const struct mpi_topo *old = c->topo;
    int n = old->u.cart.ndims, many = 0, at = c->p2p.rank, stride[2] = {1, 1}, place[2] = {0, 0};
    for (int d = 0; d < n; d++)
        many += remain[d] != 0;
    struct mpi_topo *t = mpi_topo_new(p, MPI_CART, 2 * (size_t)many);
    if (!t)
        return NULL;
    mpi_topo_cart_arrays(t, many);
    for (int d = n - 1, to = many; d >= 0; d--) {
        int size = old->u.cart.dims[d], stays = remain[d] != 0;
        place[stays] += at % size * stride[stays];
        stride[stays] *= size;
        at /= size;
        if (stays) {
            t->u.cart.dims[--to] = size;
            t->u.cart.periods[to] = old->u.cart.periods[d];
        }
    }
    *color = place[0];
    *key = place[1];
    return t;
}

int PMPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm)
{
    static const char call[] = "MPI_Cart_sub";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    int rc = mpi_check_topo(p, call, comm, MPI_CART, &c);
    static const char *const names[] = MPI_COMM_MADE_BY("MPI_Cart_sub");
    struct mpi_comm *made;
    struct mpi_topo *t;
    int color = 0, key = 0;
    if (rc || (rc = mpi_check_out(c, call, newcomm, "newcomm")) ||
        (c->topo->u.cart.ndims && (rc = mpi_check_out(c, call, remain_dims, "remain_dims"))))
        return rc;
    *newcomm = MPI_COMM_NULL;
    t = sub_grid(p, c, remain_dims, &color, &key);
    rc = mpi_comm_split(p, call, names, c, t != NULL, color, key, &made);
    if (rc) {
        mpi_topo_drop(p, t);
        return rc;
    }
    made->topo = t;
    *newcomm = mpi_comm_handle(p, made);
    return MPI_SUCCESS;
}
