/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Info_get = PMPI_Info_get

/* valuelen does not count the end of the string. */
int PMPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
    static const char call[] = "MPI_Info_get";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_info *i;
    int rc = mpi_check_lookup(p, call, info, key, flag, &i);
    if (rc || (rc = mpi_check_out(NULL, call, value, "value")))
        return rc;
    if (valuelen < 0)
        return mpi_error(NULL, MPI_ERR_ARG, call, "valuelen %d is negative", valuelen);
    const char *text = mpi_info_value(i, key);
    if (text)
        mpi_text_give(value, (size_t)valuelen + 1, text);
    *flag = text != NULL;
    return MPI_SUCCESS;
}
