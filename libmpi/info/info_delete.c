/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Info_delete = PMPI_Info_delete

int PMPI_Info_delete(MPI_Info info, const char *key)
{
    static const char call[] = "MPI_Info_delete";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_info *i;
    int rc = mpi_check_info_own(p, call, info, &i);
    if (rc || (rc = mpi_check_key(call, key)))
        return rc;
    struct mpi_pair **at = mpi_info_find(i, key);
    if (!*at)
        return mpi_error(NULL, MPI_ERR_INFO_NOKEY, call, "there is no key \"%s\"", key);
    mpi_info_cut(p, at);
    return MPI_SUCCESS;
}
