/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Ibcast = PMPI_Ibcast
#pragma weak MPI_Ibcast_c = PMPI_Ibcast_c

static int ibcast(const char *call, void *buffer, MPI_Count count, MPI_Datatype datatype, int root,
                  MPI_Comm comm, MPI_Request *request)
{
    return mpi_coll_start(
        &mpi_coll_bcast,
        &(struct mpi_coll_args){
            .call = call, .comm = comm, .recv = mpi_even(buffer, count, datatype), .root = root},
        request);
}

int PMPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                MPI_Request *request)
{
    return ibcast("MPI_Ibcast", buffer, count, datatype, root, comm, request);
}

int PMPI_Ibcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
                  MPI_Request *request)
{
    return ibcast("MPI_Ibcast_c", buffer, count, datatype, root, comm, request);
}
