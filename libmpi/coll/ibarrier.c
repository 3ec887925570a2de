/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Ibarrier = PMPI_Ibarrier

int PMPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(&mpi_coll_barrier,
                          &(struct mpi_coll_args){.call = "MPI_Ibarrier", .comm = comm}, request);
}
