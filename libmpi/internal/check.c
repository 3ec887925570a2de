/* SPDX-License-Identifier: MIT */
#include "internal/type.h"
#include "internal/check.h"

int mpi_check_comm(struct mpi_process *p, const char *call, MPI_Comm handle, struct mpi_comm **c)
{
    *c = mpi_comm(p, handle);
    if (*c)
        return MPI_SUCCESS;
    return mpi_error(NULL, MPI_ERR_COMM, call, "%s is no communicator",
                     handle == MPI_COMM_NULL ? "MPI_COMM_NULL" : "the handle");
}

int mpi_check_group(struct mpi_process *p, struct mpi_comm *c, const char *call, MPI_Group handle,
                    struct mpi_group **g)
{
    *g = mpi_group(p, handle);
    if (*g)
        return MPI_SUCCESS;
    return mpi_error(c, MPI_ERR_GROUP, call, "%s is no group",
                     handle == MPI_GROUP_NULL ? "MPI_GROUP_NULL" : "the handle");
}

int mpi_check_out(struct mpi_comm *c, const char *call, const void *pointer, const char *name)
{
    if (pointer)
        return MPI_SUCCESS;
    return mpi_error(c, MPI_ERR_ARG, call, "argument %s is a null pointer", name);
}

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
                   MPI_Datatype type, uint64_t *bytes)
{
    const struct mpi_type *t;
    if (count < 0)
        return mpi_error(c, MPI_ERR_COUNT, call, "count %lld is negative", (long long)count);
    int rc = mpi_check_type(c, call, type, &t);
    if (rc)
        return rc;
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

int mpi_check_rank(struct mpi_comm *c, const char *call, int rank, bool any)
{
    if ((rank >= 0 && rank < c->p2p.size) || rank == MPI_PROC_NULL ||
        (any && rank == MPI_ANY_SOURCE))
        return MPI_SUCCESS;
    return mpi_error(c, MPI_ERR_RANK, call, "rank %d is not in 0..%d", rank, c->p2p.size - 1);
}

int mpi_check_tag(struct mpi_comm *c, const char *call, int tag, bool any)
{
    if (tag >= 0 || (any && tag == MPI_ANY_TAG))
        return MPI_SUCCESS;
    return mpi_error(c, MPI_ERR_TAG, call, "tag %d is negative", tag);
}
