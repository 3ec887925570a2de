/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "info/info.h"

#pragma weak MPI_Info_get_string = PMPI_Info_get_string

/* *buflen counts the end of the string: room before, need after the call. */
int PMPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag)
{
    static const char call[] = "MPI_Info_get_string";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_info *i;
    int rc = mpi_check_lookup(p, call, info, key, flag, &i);
    if (rc || (rc = mpi_check_out(NULL, call, buflen, "buflen")))
        return rc;
    if (*buflen < 0)
        return mpi_error(NULL, MPI_ERR_ARG, call, "buflen %d is negative", *buflen);
    if (*buflen > 0 && (rc = mpi_check_out(NULL, call, value, "value")))
        return rc;
    const char *text = mpi_info_value(i, key);
    if (text)
        *buflen = mpi_text_give(value, (size_t)*buflen, text);
    *flag = text != NULL;
    return MPI_SUCCESS;
}
