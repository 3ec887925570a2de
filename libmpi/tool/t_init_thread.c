/* SPDX-License-Identifier: MIT */
#include "tool/tool.h"

#pragma weak MPI_T_init_thread = PMPI_T_init_thread

/* May come before MPI_Init: the rank exists since the program began. */
int PMPI_T_init_thread(int required, int *provided)
{
    if (!provided)
        return MPI_T_ERR_INVALID;
    struct mpi_process *p = mpi_process_for("MPI_T_init_thread");
    if (!p)
        return MPI_T_ERR_CANNOT_INIT;
    if (!p->tool && !(p->tool = mpi_alloc(p, sizeof *p->tool)))
        return MPI_T_ERR_MEMORY;
    p->tool->p = p;
    p->tool->inits++;
    *provided = mpi_thread_level(p, required);
    return MPI_SUCCESS;
}
