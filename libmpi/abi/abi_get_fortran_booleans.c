/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "abi/fortran.h"

#pragma weak MPI_Abi_get_fortran_booleans = PMPI_Abi_get_fortran_booleans

/* May be called at any time. */
int PMPI_Abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false,
                                  int *is_set)
{
    static const char call[] = "MPI_Abi_get_fortran_booleans";
    int rc = mpi_check_out(NULL, call, logical_true, "logical_true");
    if (rc || (rc = mpi_check_out(NULL, call, logical_false, "logical_false")) ||
        (rc = mpi_check_out(NULL, call, is_set, "is_set")))
        return rc;
    *is_set = mpi_fortran_logical(logical_size, true, logical_true) &&
              mpi_fortran_logical(logical_size, false, logical_false);
    if (!*is_set)
        return mpi_error(NULL, MPI_ERR_ARG, call, "there is no LOGICAL of %d bytes", logical_size);
    return MPI_SUCCESS;
}
