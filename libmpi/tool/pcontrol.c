/* SPDX-License-Identifier: MIT */
#include <stdarg.h>

#include <mpiutil/boot.h>
#include <mpiutil/machine.h>

#include "core/err.h"

#pragma weak MPI_Pcontrol = PMPI_Pcontrol

#define MOST 1e18 /* cycles of one call; far below the range of the clock */

/* Other levels are for profilers in front of the library and mean nothing here. The amount of
 * work is a double, because a constant such as 1e6 is one, and an integer of the wrong width
 * could not be told from a right one. */
int PMPI_Pcontrol(const int level, ...)
{
    if (!mpi_running("MPI_Pcontrol"))
        return MPI_ERR_OTHER;
    if (level != MPIX_PCONTROL_WORK)
        return MPI_SUCCESS;
    va_list args;
    va_start(args, level);
    double cycles = va_arg(args, double);
    va_end(args);
    if (!(cycles >= 0.0 && cycles <= MOST))
        return mpi_error(NULL, MPI_ERR_ARG, "MPI_Pcontrol",
                         "work must be a double from 0 to 1e18 cycles");
    mpu_rank_tells_work();
    uint64_t work = mpu_told_work(cycles);
    if (work > 0)
        mpu_work(work);
    return MPI_SUCCESS;
}
