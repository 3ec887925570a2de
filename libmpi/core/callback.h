/* SPDX-License-Identifier: MIT */
/* Functions of the program that MPI calls and that may call MPI again: error handlers, those of
 * attributes and of generalized requests (mpu_callback_begin). One of them need not come back: it
 * may throw an exception, or jump. So around its call nothing of MPI may be half done. */
#ifndef MPI_CORE_CALLBACK_H
#define MPI_CORE_CALLBACK_H

#include <mpiutil/boot.h>

#include "core/object.h"

/* Around the call of one. p: NULL before MPI_Init. The one gives what the other gets. */
static inline int mpi_callback_begin(struct mpi_process *p)
{
    return p ? mpu_callback_begin(p->rank) : MPU_CALLBACK_PLAIN;
}
static inline void mpi_callback_end(struct mpi_process *p, int was)
{
    if (p)
        mpu_callback_end(p->rank, was);
}

#endif
