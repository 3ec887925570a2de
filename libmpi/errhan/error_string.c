/* SPDX-License-Identifier: MIT */
#include <base/fmt.h>

#include "internal/check.h"

#pragma weak MPI_Error_string = PMPI_Error_string

/* May be called at any time. */
int PMPI_Error_string(int errorcode, char *string, int *resultlen)
{
    static const char call[] = "MPI_Error_string";
    int rc = mpi_check_out(NULL, call, string, "string");
    if (rc || (rc = mpi_check_out(NULL, call, resultlen, "resultlen")))
        return rc;
    const char *name = mpi_class_name(errorcode);
    if (!name)
        return mpi_error(NULL, MPI_ERR_ARG, call, "%d is no error code", errorcode);
    *resultlen = b_fmt(string, MPI_MAX_ERROR_STRING, "%s: %s", name, mpi_class_text(errorcode));
    return MPI_SUCCESS;
}
