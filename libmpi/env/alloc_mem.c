/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Alloc_mem = PMPI_Alloc_mem

/* From the rank's heap in the cluster's window; aligned to 16. */
int PMPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr)
{
    static const char call[] = "MPI_Alloc_mem";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_info *i;
    int rc = mpi_check_info(p, NULL, call, info, true, &i);
    if (rc || (rc = mpi_check_out(NULL, call, baseptr, "baseptr")))
        return rc;
    if (size < 0)
        return mpi_error(NULL, MPI_ERR_ARG, call, "size %lld is negative", (long long)size);
    void *memory = mpu_alloc(p->rank, size ? (size_t)size : 1);
    if (!memory)
        return mpi_error(NULL, MPI_ERR_NO_MEM, call, "there are no %lld bytes left",
                         (long long)size);
    *(void **)baseptr = memory;
    return MPI_SUCCESS;
}
