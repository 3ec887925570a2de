/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_finalize = PMPI_T_finalize

int PMPI_T_finalize(void)
{
    struct mpi_tool *t;
    int rc = mpi_tool_begin(&t);
    if (!rc)
        t->inits--;
    return rc;
}
