/* SPDX-License-Identifier: MIT */
#include "datatype/check.h"

int mpi_check_type(struct mpi_comm *c, const char *call, MPI_Datatype handle,
                   const struct mpi_type **t)
{
    *t = mpi_type_of(handle);
    if (*t)
        return MPI_SUCCESS;
    return mpi_error(c, MPI_ERR_TYPE, call, "%s is no datatype",
                     handle == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : "the handle");
}

/* Data of a derived type may lie anywhere (MPI_BOTTOM), if not at the first addresses. */
static bool no_address(const void *buf, const struct mpi_type *t)
{
    uintptr_t at = (uintptr_t)buf;
    if (!t->handle)
        at += (uintptr_t)mpi_type_bounds(t).true_lb;
    return at <= (uintptr_t)MPI_BUFFER_AUTOMATIC;
}

int mpi_check_data(struct mpi_comm *c, const char *call, const void *buf, MPI_Count count,
                   MPI_Datatype handle, const struct mpi_type **type, uint64_t *bytes)
{
    if (count < 0)
        return mpi_error(c, MPI_ERR_COUNT, call, "count %lld is negative", (long long)count);
    int rc = mpi_check_type(c, call, handle, type);
    if (rc)
        return rc;
    const struct mpi_type *t = *type;
    if (!(t->flags & MPI_TYPE_COMMITTED))
        return mpi_error(c, MPI_ERR_TYPE, call, "the datatype is not committed");
    if (__builtin_mul_overflow((uint64_t)count, (uint64_t)t->size, bytes) ||
        *bytes > MPU_BYTES_MOST)
        return mpi_error(c, MPI_ERR_COUNT, call, "count %lld is more than memory holds",
                         (long long)count);
    if (*bytes && no_address(buf, t))
        return mpi_error(c, MPI_ERR_BUFFER, call, "buffer is no address but count is %lld",
                         (long long)count);
    return MPI_SUCCESS;
}
