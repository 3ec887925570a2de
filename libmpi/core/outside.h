/* SPDX-License-Identifier: MIT */
/* Functions of the program that MPI calls. They may call MPI again, and then no helper must get in:
 * the call that they are part of is not over (mpiutil/help.h). A function that does not come back
 * leaves the rank without help, which is safe. */
#ifndef MPI_CORE_OUTSIDE_H
#define MPI_CORE_OUTSIDE_H

#include <mpiutil/help.h>

#include "core/object.h"

/* Around the call of one. p: NULL before MPI_Init. */
static inline void mpi_outside_begin(struct mpi_process *p)
{
    if (p)
        mpu_help_bar(p->rank, 1);
}
static inline void mpi_outside_end(struct mpi_process *p)
{
    if (p)
        mpu_help_bar(p->rank, -1);
}

#endif
