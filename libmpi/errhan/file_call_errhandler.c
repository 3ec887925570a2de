/* SPDX-License-Identifier: MIT */
#include "errhan/raiser.h"

#pragma weak MPI_File_call_errhandler = PMPI_File_call_errhandler

/* The handler is called for the code as if an MPI function had raised it. */
int PMPI_File_call_errhandler(MPI_File fh, int errorcode)
{
    static const char call[] = "MPI_File_call_errhandler";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_raiser_place at;
    int rc = mpi_check_file_raiser(p, call, fh, &at);
    if (rc || (rc = mpi_check_code(p, at.comm, call, errorcode)))
        return rc;
    mpi_raise(&at.raiser, errorcode, call, "raised by the program");
    return MPI_SUCCESS;
}
