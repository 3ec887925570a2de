/* SPDX-License-Identifier: MIT */
#include "internal/check.h"

#pragma weak MPI_Error_class = PMPI_Error_class

/* Codes are classes. May be called at any time. */
int PMPI_Error_class(int errorcode, int *errorclass)
{
    int rc = mpi_check_out(NULL, "MPI_Error_class", errorclass, "errorclass");
    if (rc)
        return rc;
    if (!mpi_class_name(errorcode))
        return mpi_error(NULL, MPI_ERR_ARG, "MPI_Error_class", "%d is no error code", errorcode);
    *errorclass = errorcode;
    return MPI_SUCCESS;
}
