/* SPDX-License-Identifier: MIT */
#include "core/check.h"

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

int mpi_check_win(struct mpi_process *p, const char *call, MPI_Win handle, struct mpi_win **w)
{
    *w = (struct mpi_win *)handle;
    if (mpi_may_be_of(p, handle) && (*w)->magic == MPI_IS_WIN)
        return MPI_SUCCESS;
    return mpi_error(NULL, MPI_ERR_WIN, call, "%s is no window",
                     handle == MPI_WIN_NULL ? "MPI_WIN_NULL" : "the handle");
}

int mpi_check_session(struct mpi_process *p, const char *call, MPI_Session handle,
                      struct mpi_session **s)
{
    *s = (struct mpi_session *)handle;
    if (mpi_may_be_of(p, handle) && (*s)->raiser.magic == MPI_IS_SESSION)
        return MPI_SUCCESS;
    return mpi_error(NULL, MPI_ERR_SESSION, call, "%s is no session",
                     handle == MPI_SESSION_NULL ? "MPI_SESSION_NULL" : "the handle");
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
