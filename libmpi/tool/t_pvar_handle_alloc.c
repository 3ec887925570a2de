/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_pvar_handle_alloc = PMPI_T_pvar_handle_alloc

int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void *obj_handle,
                             MPI_T_pvar_handle *handle, int *count)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    struct mpi_tool_session *s;
    (void)obj_handle; /* none is bound to an object */
    if (rc || (rc = mpi_tool_check_session(session, &s)) ||
        (rc = mpi_tool_check_index(pvar_index, mpu_stats_count)))
        return rc;
    if (!handle || !count)
        return MPI_T_ERR_INVALID;
    struct mpi_tool_pvar *v = mpi_alloc(t->p, sizeof *v);
    if (!v)
        return MPI_T_ERR_OUT_OF_HANDLES;
    *v = (struct mpi_tool_pvar){.next = s->pvars, .index = pvar_index};
    s->pvars = v;
    *handle = (MPI_T_pvar_handle)v;
    *count = 1;
    return MPI_SUCCESS;
}
