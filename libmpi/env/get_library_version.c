/* SPDX-License-Identifier: MIT */
#include <base/fmt.h>

#include "core/check.h"

#pragma weak MPI_Get_library_version = PMPI_Get_library_version

/* May be called at any time. */
int PMPI_Get_library_version(char *version, int *resultlen)
{
    static const char call[] = "MPI_Get_library_version";
    int rc = mpi_check_out(NULL, call, version, "version");
    if (rc || (rc = mpi_check_out(NULL, call, resultlen, "resultlen")))
        return rc;
    *resultlen =
        b_fmt(version, MPI_MAX_LIBRARY_VERSION_STRING, "lwmpi %s, MPI %d.%d, ABI %d.%d",
              LWMPI_VERSION, MPI_VERSION, MPI_SUBVERSION, MPI_ABI_VERSION, MPI_ABI_SUBVERSION);
    return MPI_SUCCESS;
}
