/* SPDX-License-Identifier: MIT */
#include "pt2pt/p2p.h"

#pragma weak MPI_Recv_init = PMPI_Recv_init
#pragma weak MPI_Recv_init_c = PMPI_Recv_init_c

static int recv_init(const char *call, void *buf, MPI_Count count, MPI_Datatype type, int source,
                     int tag, MPI_Comm comm, MPI_Request *request)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_transfer t;
    int rc = mpi_check_irecv(p, call, buf, count, type, source, tag, comm, request, &t);
    if (rc)
        return rc;
    return mpi_persistent_new(p, call, &mpi_recv_kind, &t, request);
}

int PMPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    return recv_init("MPI_Recv_init", buf, count, datatype, source, tag, comm, request);
}

int PMPI_Recv_init_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                     MPI_Comm comm, MPI_Request *request)
{
    return recv_init("MPI_Recv_init_c", buf, count, datatype, source, tag, comm, request);
}
