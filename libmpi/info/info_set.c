/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Info_set = PMPI_Info_set

int PMPI_Info_set(MPI_Info info, const char *key, const char *value)
{
    static const char call[] = "MPI_Info_set";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_info *i;
    int rc = mpi_check_info_own(p, call, info, &i);
    if (rc || (rc = mpi_check_key(call, key)))
        return rc;
    if (!value || strlen(value) >= MPI_MAX_INFO_VAL)
        return mpi_error(NULL, MPI_ERR_INFO_VALUE, call, "a value has at most %d characters",
                         MPI_MAX_INFO_VAL - 1);
    rc = mpi_info_put(p, i, key, value);
    return rc ? mpi_error_below(NULL, rc, call) : MPI_SUCCESS;
}
