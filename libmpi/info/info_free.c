/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Info_free = PMPI_Info_free

int PMPI_Info_free(MPI_Info *info)
{
    static const char call[] = "MPI_Info_free";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_info *i;
    int rc = mpi_check_out(NULL, call, info, "info");
    if (rc || (rc = mpi_check_info_own(p, call, *info, &i)))
        return rc;
    mpi_info_end(p, i);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}
