/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Info_get_nkeys = PMPI_Info_get_nkeys

int PMPI_Info_get_nkeys(MPI_Info info, int *nkeys)
{
    static const char call[] = "MPI_Info_get_nkeys";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_info *i;
    int rc = mpi_check_info(p, NULL, call, info, false, &i), n = 0;
    if (rc || (rc = mpi_check_out(NULL, call, nkeys, "nkeys")))
        return rc;
    for (const struct mpi_pair *pair = i->first; pair; pair = pair->next)
        n++;
    *nkeys = n;
    return MPI_SUCCESS;
}
