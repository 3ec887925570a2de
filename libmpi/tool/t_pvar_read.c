/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "internal/tool.h"

#pragma weak MPI_T_pvar_read = PMPI_T_pvar_read

int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    struct mpi_tool_session *s;
    struct mpi_tool_pvar *v;
    if (rc || (rc = mpi_tool_check_pvar(session, handle, false, &s, &v)))
        return rc;
    if (!buf)
        return MPI_T_ERR_INVALID;
    uint64_t value = mpi_tool_pvar_value(t, v);
    memcpy(buf, &value, sizeof value);
    return MPI_SUCCESS;
}
