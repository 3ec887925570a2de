/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "core/check.h"
#include "topo/dims.h"

#pragma weak MPI_Dims_create = PMPI_Dims_create

int PMPI_Dims_create(int nnodes, int ndims, int dims[])
{
    static const char call[] = "MPI_Dims_create";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    if (nnodes < 1 || ndims < 0)
        return mpi_error(NULL, MPI_ERR_DIMS, call, "%d nodes in %d dimensions", nnodes, ndims);
    int rc = ndims ? mpi_check_out(NULL, call, dims, "dims") : MPI_SUCCESS, many = 0;
    int64_t fixed = 1;
    for (int i = 0; i < ndims && !rc; i++) {
        if (dims[i] < 0 || (dims[i] && nnodes % (fixed *= dims[i])))
            rc = mpi_error(NULL, MPI_ERR_DIMS, call, "dims[%d] = %d does not divide %d nodes", i,
                           dims[i], nnodes);
        many += dims[i] == 0;
    }
    if (rc || many == 0) {
        bool fits = rc || fixed == nnodes || ndims == 0;
        return fits ? rc
                    : mpi_error(NULL, MPI_ERR_DIMS, call, "dims make %lld nodes, not %d",
                                (long long)fixed, nnodes);
    }
    int *found = mpi_alloc(p, (size_t)many * sizeof *found);
    rc = found ? mpi_dims_balance(p, (int)(nnodes / fixed), many, found) : -B_ENOMEM;
    for (int i = 0, j = 0; i < ndims && !rc; i++)
        if (dims[i] == 0)
            dims[i] = found[j++];
    mpi_free(p, found);
    return rc ? mpi_error_below(NULL, rc, call) : MPI_SUCCESS;
}
