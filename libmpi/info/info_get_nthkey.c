/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Info_get_nthkey = PMPI_Info_get_nthkey

int PMPI_Info_get_nthkey(MPI_Info info, int n, char *key)
{
    static const char call[] = "MPI_Info_get_nthkey";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_info *i;
    int rc = mpi_check_info(p, NULL, call, info, false, &i);
    if (rc || (rc = mpi_check_out(NULL, call, key, "key")))
        return rc;
    const struct mpi_pair *pair = n < 0 ? NULL : i->first;
    for (int k = 0; k < n && pair; k++)
        pair = pair->next;
    if (!pair)
        return mpi_error(NULL, MPI_ERR_ARG, call, "there is no key number %d", n);
    mpi_text_give(key, MPI_MAX_INFO_KEY, pair->key);
    return MPI_SUCCESS;
}
