/* SPDX-License-Identifier: MIT */
#include <mpiutil/machine.h>

#include "core/object.h"

#pragma weak MPI_Wtime = PMPI_Wtime

/* Seconds since the machine started; 0 on a thread that is no rank. */
double PMPI_Wtime(void)
{
    return mpu_self() ? (double)mpu_time_ns() * 1e-9 : 0.0;
}
