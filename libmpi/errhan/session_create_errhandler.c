/* SPDX-License-Identifier: MIT */
#include "core/errhandler.h"

#pragma weak MPI_Session_create_errhandler = PMPI_Session_create_errhandler

int PMPI_Session_create_errhandler(MPI_Session_errhandler_function *session_errhandler_fn,
                                   MPI_Errhandler *errhandler)
{
    return mpi_errhandler_new("MPI_Session_create_errhandler", MPI_OWNER_SESSION,
                              (void (*)(void *, int *, ...))session_errhandler_fn, errhandler);
}
