/* SPDX-License-Identifier: MIT */
#include "core/errhandler.h"
#include "errhan/raiser.h"

#pragma weak MPI_File_set_errhandler = PMPI_File_set_errhandler

int PMPI_File_set_errhandler(MPI_File file, MPI_Errhandler errhandler)
{
    static const char call[] = "MPI_File_set_errhandler";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_raiser_place at;
    int rc = mpi_check_file_raiser(p, call, file, &at);
    if (rc || (rc = mpi_check_errhandler(at.comm, call, MPI_OWNER_FILE, errhandler)))
        return rc;
    mpi_errhandler_put(p, at.handler, errhandler);
    return MPI_SUCCESS;
}
