/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "core/check.h"
#include "abi/fortran.h"

#pragma weak MPI_Abi_set_fortran_booleans = PMPI_Abi_set_fortran_booleans

/* The library knows the values of its Fortran compiler; who gives these is welcome. May be called
 * at any time. */
int PMPI_Abi_set_fortran_booleans(int logical_size, void *logical_true, void *logical_false)
{
    static const char call[] = "MPI_Abi_set_fortran_booleans";
    uint8_t yes[16], no[16];
    int rc = mpi_check_out(NULL, call, logical_true, "logical_true");
    if (rc || (rc = mpi_check_out(NULL, call, logical_false, "logical_false")))
        return rc;
    if (!mpi_fortran_logical(logical_size, true, yes) ||
        !mpi_fortran_logical(logical_size, false, no))
        return mpi_error(NULL, MPI_ERR_ARG, call, "there is no LOGICAL of %d bytes", logical_size);
    if (memcmp(yes, logical_true, (size_t)logical_size) != 0 ||
        memcmp(no, logical_false, (size_t)logical_size) != 0)
        return mpi_error(NULL, MPI_ERR_ABI, call, "the values are those of GNU Fortran: 1 and 0");
    return MPI_SUCCESS;
}
