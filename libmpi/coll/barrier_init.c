/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Barrier_init = PMPI_Barrier_init

int PMPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return mpi_coll_init(&mpi_coll_barrier,
                         &(struct mpi_coll_args){.call = "MPI_Barrier_init", .comm = comm}, info,
                         request);
}
