/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Abi_get_version = PMPI_Abi_get_version

/* May be called at any time, from any thread. */
int PMPI_Abi_get_version(int *abi_major, int *abi_minor)
{
    int rc = mpi_check_out(NULL, "MPI_Abi_get_version", abi_major, "abi_major");
    if (rc || (rc = mpi_check_out(NULL, "MPI_Abi_get_version", abi_minor, "abi_minor")))
        return rc;
    *abi_major = MPI_ABI_VERSION;
    *abi_minor = MPI_ABI_SUBVERSION;
    return MPI_SUCCESS;
}
