/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Info_dup = PMPI_Info_dup

int PMPI_Info_dup(MPI_Info info, MPI_Info *newinfo)
{
    static const char call[] = "MPI_Info_dup";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_info *i, *copy;
    int rc = mpi_check_info(p, NULL, call, info, false, &i);
    if (rc || (rc = mpi_check_out(NULL, call, newinfo, "newinfo")))
        return rc;
    copy = mpi_info_new(p);
    if (!copy || mpi_info_add(p, copy, i)) {
        if (copy)
            mpi_info_end(p, copy);
        return mpi_error_below(NULL, -B_ENOMEM, call);
    }
    *newinfo = (MPI_Info)copy;
    return MPI_SUCCESS;
}
