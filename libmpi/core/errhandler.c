/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "core/errhandler.h"

struct mpi_errhandler *mpi_errhandler(MPI_Errhandler handle)
{
    struct mpi_errhandler *e = (struct mpi_errhandler *)handle;
    return mpi_may_be_object(e) && e->magic == MPI_IS_ERRHANDLER ? e : NULL;
}

MPI_Errhandler mpi_errhandler_retain(MPI_Errhandler handle)
{
    struct mpi_errhandler *e = mpi_errhandler(handle);
    if (e)
        e->refs++;
    return handle;
}

void mpi_errhandler_drop(struct mpi_process *p, MPI_Errhandler handle)
{
    struct mpi_errhandler *e = mpi_errhandler(handle);
    if (!e || --e->refs)
        return;
    e->magic = MPI_DEAD;
    mpi_free(p, e);
}

int mpi_errhandler_new(const char *call, enum mpi_owner owner, void (*f)(void *, int *, ...),
                       MPI_Errhandler *handle)
{
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    if (!f || !handle)
        return mpi_error(NULL, MPI_ERR_ARG, call, "argument %s is a null pointer",
                         f ? "errhandler" : "errhandler_fn");
    struct mpi_errhandler *e = mpi_alloc(p, sizeof *e);
    if (!e)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    *e = (struct mpi_errhandler){.magic = MPI_IS_ERRHANDLER, .refs = 1, .owner = owner, .call = f};
    *handle = (MPI_Errhandler)e;
    return MPI_SUCCESS;
}

int mpi_check_errhandler(struct mpi_comm *c, const char *call, enum mpi_owner owner,
                         MPI_Errhandler errhandler)
{
    const struct mpi_errhandler *e = mpi_errhandler(errhandler);
    if (errhandler == MPI_ERRORS_ARE_FATAL || errhandler == MPI_ERRORS_ABORT ||
        errhandler == MPI_ERRORS_RETURN || (e && e->owner == owner))
        return MPI_SUCCESS;
    return mpi_error(c, MPI_ERR_ERRHANDLER, call, "%s is no error handler%s",
                     errhandler == MPI_ERRHANDLER_NULL ? "MPI_ERRHANDLER_NULL" : "the handle",
                     e ? " for this kind of object" : "");
}

void mpi_errhandler_put(struct mpi_process *p, MPI_Errhandler *place, MPI_Errhandler handle)
{
    MPI_Errhandler old = *place;
    *place = mpi_errhandler_retain(handle);
    mpi_errhandler_drop(p, old);
}
