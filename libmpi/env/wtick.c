/* SPDX-License-Identifier: MIT */
#include <mpiutil/machine.h>

#include "core/object.h"

#pragma weak MPI_Wtick = PMPI_Wtick

/* One cycle, but no less than the nanosecond in which MPI_Wtime counts. */
double PMPI_Wtick(void)
{
    double cycle = mpu_self() ? 1.0 / (double)mpu_info()->hz : 1e-9;
    return cycle > 1e-9 ? cycle : 1e-9;
}
