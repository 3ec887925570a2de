/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Info_create_env = PMPI_Info_create_env

int PMPI_Info_create_env(int argc, char *argv[], MPI_Info *info)
{
    static const char call[] = "MPI_Info_create_env";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, info, "info");
    if (rc)
        return rc;
    if (argc < 0)
        return mpi_error(NULL, MPI_ERR_ARG, call, "argc %d is negative", argc);
    struct mpi_info *i = mpi_info_new(p);
    if (!i || mpi_info_start(p, i, argc, argv)) {
        if (i)
            mpi_info_end(p, i);
        return mpi_error_below(NULL, -B_ENOMEM, call);
    }
    *info = (MPI_Info)i;
    return MPI_SUCCESS;
}
