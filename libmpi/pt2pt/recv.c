/* SPDX-License-Identifier: MIT */
#include "internal/p2p.h"

#pragma weak MPI_Recv = PMPI_Recv
#pragma weak MPI_Recv_c = PMPI_Recv_c

static int recv(const char *call, void *buf, MPI_Count count, MPI_Datatype type, int source,
                int tag, MPI_Comm comm, MPI_Status *status)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_transfer t;
    int rc = mpi_check_recv(p, call, buf, count, type, source, tag, comm, &t);
    if (rc)
        return rc;
    if (mpi_plain(&t))
        return mpi_plain_recv(p, call, &t, status);
    struct mpi_p2p q;
    mpi_request_init(&q.base, &mpi_recv_kind, t.comm);
    rc = mpi_recv_begin(p, &q, &t);
    if (rc)
        return mpi_error(t.comm, rc, call, "no memory for the packed form of the message");
    return mpi_p2p_finish(p, call, &q, status);
}

int PMPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    return recv("MPI_Recv", buf, count, datatype, source, tag, comm, status);
}

int PMPI_Recv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                MPI_Comm comm, MPI_Status *status)
{
    return recv("MPI_Recv_c", buf, count, datatype, source, tag, comm, status);
}
