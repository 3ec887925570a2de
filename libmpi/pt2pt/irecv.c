/* SPDX-License-Identifier: MIT */
#include "pt2pt/p2p.h"

#pragma weak MPI_Irecv = PMPI_Irecv
#pragma weak MPI_Irecv_c = PMPI_Irecv_c

static int irecv(const char *call, void *buf, MPI_Count count, MPI_Datatype type, int source,
                 int tag, MPI_Comm comm, MPI_Request *request)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_transfer t;
    int rc = mpi_check_irecv(p, call, buf, count, type, source, tag, comm, request, &t);
    if (rc)
        return rc;
    struct mpi_p2p *q = mpi_request_pooled(p, call, &mpi_recv_kind, t.comm, sizeof *q);
    if (!q)
        return MPI_ERR_NO_MEM;
    rc = mpi_recv_begin(p, q, &t);
    return mpi_request_give(p, call, &q->base, rc, request);
}

int PMPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    return irecv("MPI_Irecv", buf, count, datatype, source, tag, comm, request);
}

int PMPI_Irecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                 MPI_Comm comm, MPI_Request *request)
{
    return irecv("MPI_Irecv_c", buf, count, datatype, source, tag, comm, request);
}
