/* SPDX-License-Identifier: MIT */
#include <mpiutil/rank.h>

#include "coll/forms.h"

#pragma weak MPI_Bcast = PMPI_Bcast
#pragma weak MPI_Bcast_c = PMPI_Bcast_c

static int bcast(const char *call, void *buffer, MPI_Count count, MPI_Datatype datatype, int root,
                 MPI_Comm comm)
{
    return mpi_coll_run(
        &mpi_coll_bcast,
        &(struct mpi_coll_args){
            .call = call, .comm = comm, .recv = mpi_even(buffer, count, datatype), .root = root});
}

int PMPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    return mpu_return(bcast("MPI_Bcast", buffer, count, datatype, root, comm));
}

int PMPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    return mpu_return(bcast("MPI_Bcast_c", buffer, count, datatype, root, comm));
}
