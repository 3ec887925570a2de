/* SPDX-License-Identifier: MIT */
#include "internal/p2p.h"

#pragma weak MPI_Send = PMPI_Send
#pragma weak MPI_Send_c = PMPI_Send_c

static inline __attribute__((always_inline)) int send(const char *call, const void *buf,
                                                      MPI_Count count, MPI_Datatype type, int dest,
                                                      int tag, MPI_Comm comm)
{
    struct mpi_comm *c = mpi_world_quickly(comm);
    const struct mpi_type *t = mpi_type_predefined(type);
    if (c && mpi_ordinary(c, t, buf, count, dest, tag, false))
        return mpi_send_ordinary(call, c, t, buf, count, dest, tag);
    return mpi_send(call, buf, count, type, dest, tag, comm, MPI_SEND_STANDARD);
}

int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send("MPI_Send", buf, count, datatype, dest, tag, comm);
}

int PMPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                MPI_Comm comm)
{
    return send("MPI_Send_c", buf, count, datatype, dest, tag, comm);
}
