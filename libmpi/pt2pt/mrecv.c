/* SPDX-License-Identifier: MIT */
#include "pt2pt/probing.h"

#pragma weak MPI_Mrecv = PMPI_Mrecv
#pragma weak MPI_Mrecv_c = PMPI_Mrecv_c

static int mrecv(const char *call, void *buf, MPI_Count count, MPI_Datatype type,
                 MPI_Message *message, MPI_Status *status)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_message *m;
    struct mpi_transfer t;
    int rc = mpi_check_mrecv(p, call, buf, count, type, message, &m, &t);
    if (rc)
        return rc;
    struct mpi_p2p q;
    mpi_request_init(&q.base, &mpi_recv_kind, t.comm);
    rc = mpi_mrecv_begin(p, &q, &t, m, message);
    if (rc)
        return mpi_error(t.comm, rc, call, "no memory for the packed form of the message");
    return mpi_p2p_finish(p, call, &q, status);
}

int PMPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message,
               MPI_Status *status)
{
    return mrecv("MPI_Mrecv", buf, count, datatype, message, status);
}

int PMPI_Mrecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message,
                 MPI_Status *status)
{
    return mrecv("MPI_Mrecv_c", buf, count, datatype, message, status);
}
