/* SPDX-License-Identifier: MIT */
#include "pt2pt/probing.h"

#pragma weak MPI_Imrecv = PMPI_Imrecv
#pragma weak MPI_Imrecv_c = PMPI_Imrecv_c

static int imrecv(const char *call, void *buf, MPI_Count count, MPI_Datatype type,
                  MPI_Message *message, MPI_Request *request)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_message *m;
    struct mpi_transfer t;
    int rc = mpi_check_mrecv(p, call, buf, count, type, message, &m, &t);
    if (rc || (rc = mpi_check_out(t.comm, call, request, "request")))
        return rc;
    struct mpi_p2p *q = mpi_request_new(p, call, &mpi_recv_kind, t.comm, sizeof *q);
    if (!q)
        return MPI_ERR_NO_MEM;
    rc = mpi_mrecv_begin(p, q, &t, m, message);
    return mpi_request_give(p, call, &q->base, rc, request);
}

int PMPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message,
                MPI_Request *request)
{
    return imrecv("MPI_Imrecv", buf, count, datatype, message, request);
}

int PMPI_Imrecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message,
                  MPI_Request *request)
{
    return imrecv("MPI_Imrecv_c", buf, count, datatype, message, request);
}
