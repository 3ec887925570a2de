/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Get_hw_resource_info = PMPI_Get_hw_resource_info

/* The parts of the machine that a rank is in; each is one to which it is bound. */
int PMPI_Get_hw_resource_info(MPI_Info *hw_info)
{
    static const char call[] = "MPI_Get_hw_resource_info";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, hw_info, "hw_info");
    if (rc)
        return rc;
    struct mpi_info *i = mpi_info_new(p);
    if (!i || (rc = mpi_info_put(p, i, "lwmpi://machine", "true")) ||
        (rc = mpi_info_put(p, i, "lwmpi://cluster", "true"))) {
        if (i)
            mpi_info_end(p, i);
        return mpi_error_below(NULL, -B_ENOMEM, call);
    }
    *hw_info = (MPI_Info)i;
    return MPI_SUCCESS;
}
