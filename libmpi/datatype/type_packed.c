/* SPDX-License-Identifier: MIT */
#include "datatype/type_packed.h"

int mpi_check_packed(struct mpi_comm *c, const char *call, const struct mpi_packed *p, uint64_t n)
{
    int rc = mpi_check_out(c, call, p->position, "position");
    if (rc)
        return rc;
    MPI_Count at = *p->position;
    if (p->size < 0 || at < 0 || at > p->size)
        return mpi_error(c, MPI_ERR_ARG, call, "position %lld is not within the %lld bytes of %s",
                         (long long)at, (long long)p->size, p->name);
    if (n > (uint64_t)(p->size - at))
        return mpi_error(c, MPI_ERR_TRUNCATE, call,
                         "%s has %lld bytes from position %lld on; %llu are needed", p->name,
                         (long long)(p->size - at), (long long)at, (unsigned long long)n);
    if (n && p->buf <= MPI_BUFFER_AUTOMATIC)
        return mpi_error(c, MPI_ERR_BUFFER, call, "%s is no address", p->name);
    return MPI_SUCCESS;
}

int mpi_packed_size(struct mpi_comm *c, const char *call, MPI_Count count, uint64_t each,
                    MPI_Count *size)
{
    if (count < 0)
        return mpi_error(c, MPI_ERR_COUNT, call, "count %lld is negative", (long long)count);
    if (__builtin_mul_overflow(count, each, size))
        return mpi_error(c, MPI_ERR_COUNT, call, "count %lld is more than memory holds",
                         (long long)count);
    return MPI_SUCCESS;
}
