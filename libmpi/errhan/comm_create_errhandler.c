/* SPDX-License-Identifier: MIT */
#include "core/errhandler.h"

#pragma weak MPI_Comm_create_errhandler = PMPI_Comm_create_errhandler

int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *comm_errhandler_fn,
                                MPI_Errhandler *errhandler)
{
    return mpi_errhandler_new("MPI_Comm_create_errhandler", MPI_OWNER_COMM,
                              (void (*)(void *, int *, ...))comm_errhandler_fn, errhandler);
}
