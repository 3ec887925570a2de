/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Error_class = PMPI_Error_class

/* May be called at any time. */
int PMPI_Error_class(int errorcode, int *errorclass)
{
    static const char call[] = "MPI_Error_class";
    int rc = mpi_check_out(NULL, call, errorclass, "errorclass");
    if (rc)
        return rc;
    int class = mpi_class_of(mpi_process(), errorcode);
    if (class < 0)
        return mpi_error(NULL, MPI_ERR_ARG, call, "%d is no error code", errorcode);
    *errorclass = class;
    return MPI_SUCCESS;
}
