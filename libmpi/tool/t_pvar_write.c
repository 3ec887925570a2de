/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "tool/tool.h"

#pragma weak MPI_T_pvar_write = PMPI_T_pvar_write

int PMPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    struct mpi_tool_session *s;
    struct mpi_tool_pvar *v;
    if (rc || (rc = mpi_tool_check_pvar(session, handle, false, &s, &v)))
        return rc;
    uint64_t value;
    if (!buf)
        return MPI_T_ERR_INVALID;
    if (!mpi_tool_pvar_counts(v->index))
        return MPI_T_ERR_PVAR_NO_WRITE;
    memcpy(&value, buf, sizeof value);
    mpi_tool_pvar_put(t, v, value);
    return MPI_SUCCESS;
}
