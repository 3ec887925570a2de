/* SPDX-License-Identifier: MIT */
#include "internal/session.h"

int mpi_check_session(struct mpi_process *p, const char *call, MPI_Session handle,
                      struct mpi_session **s)
{
    (void)p;
    *s = (struct mpi_session *)handle;
    if (mpi_may_be_object(handle) && (*s)->raiser.magic == MPI_IS_SESSION)
        return MPI_SUCCESS;
    return mpi_error(NULL, MPI_ERR_SESSION, call, "%s is no session",
                     handle == MPI_SESSION_NULL ? "MPI_SESSION_NULL" : "the handle");
}
