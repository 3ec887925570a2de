/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"

#pragma weak MPI_Bcast_init = PMPI_Bcast_init
#pragma weak MPI_Bcast_init_c = PMPI_Bcast_init_c

static int bcast_init(const char *call, void *buffer, MPI_Count count, MPI_Datatype datatype,
                      int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return mpi_coll_init(
        &mpi_coll_bcast,
        &(struct mpi_coll_args){
            .call = call, .comm = comm, .recv = mpi_even(buffer, count, datatype), .root = root},
        info, request);
}

int PMPI_Bcast_init(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                    MPI_Info info, MPI_Request *request)
{
    return bcast_init("MPI_Bcast_init", buffer, count, datatype, root, comm, info, request);
}

int PMPI_Bcast_init_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
                      MPI_Info info, MPI_Request *request)
{
    return bcast_init("MPI_Bcast_init_c", buffer, count, datatype, root, comm, info, request);
}
