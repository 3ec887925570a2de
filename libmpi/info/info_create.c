/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Info_create = PMPI_Info_create

/* May be called at any time, as all functions on info objects. */
int PMPI_Info_create(MPI_Info *info)
{
    static const char call[] = "MPI_Info_create";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, info, "info");
    if (rc)
        return rc;
    struct mpi_info *i = mpi_info_new(p);
    if (!i)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    *info = (MPI_Info)i;
    return MPI_SUCCESS;
}
