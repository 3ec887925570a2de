/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Error_string = PMPI_Error_string

/* May be called at any time. */
int PMPI_Error_string(int errorcode, char *string, int *resultlen)
{
    static const char call[] = "MPI_Error_string";
    struct mpi_process *p = mpi_process();
    int rc = mpi_check_out(NULL, call, string, "string");
    if (rc || (rc = mpi_check_out(NULL, call, resultlen, "resultlen")))
        return rc;
    if (mpi_class_of(p, errorcode) < 0)
        return mpi_error(NULL, MPI_ERR_ARG, call, "%d is no error code", errorcode);
    *resultlen = mpi_error_text(p, errorcode, string, MPI_MAX_ERROR_STRING);
    return MPI_SUCCESS;
}
