/* SPDX-License-Identifier: MIT */
#include <mpiutil/rank.h>

#include "coll/forms.h"

#pragma weak MPI_Barrier = PMPI_Barrier

int PMPI_Barrier(MPI_Comm comm)
{
    return mpu_return(mpi_coll_run(&mpi_coll_barrier,
                                   &(struct mpi_coll_args){.call = "MPI_Barrier", .comm = comm}));
}
