/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#pragma weak MPI_Get_version = PMPI_Get_version

/* May be called at any time. */
int PMPI_Get_version(int *version, int *subversion)
{
    int rc = mpi_check_out(NULL, "MPI_Get_version", version, "version");
    if (rc || (rc = mpi_check_out(NULL, "MPI_Get_version", subversion, "subversion")))
        return rc;
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}
