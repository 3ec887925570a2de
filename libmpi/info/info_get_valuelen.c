/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Info_get_valuelen = PMPI_Info_get_valuelen

int PMPI_Info_get_valuelen(MPI_Info info, const char *key, int *valuelen, int *flag)
{
    static const char call[] = "MPI_Info_get_valuelen";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_info *i;
    int rc = mpi_check_lookup(p, call, info, key, flag, &i);
    if (rc || (rc = mpi_check_out(NULL, call, valuelen, "valuelen")))
        return rc;
    const char *text = mpi_info_value(i, key);
    if (text)
        *valuelen = (int)strlen(text);
    *flag = text != NULL;
    return MPI_SUCCESS;
}
