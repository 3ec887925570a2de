/* SPDX-License-Identifier: MIT */
#include "pt2pt/p2p.h"
#include "request/status.h"

#pragma weak MPI_Recv = PMPI_Recv
#pragma weak MPI_Recv_c = PMPI_Recv_c

static int recv(const char *call, void *buf, MPI_Count count, MPI_Datatype type, int source,
                int tag, MPI_Comm comm, MPI_Status *status)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c = mpi_comm_of(p, comm);
    const struct mpi_type *t = mpi_type_predefined(type);
    if (!mpi_ordinary(c, t, buf, count, source, tag, true)) {
        struct mpi_transfer any = mpi_transfer(buf, count, source, tag);
        any.begin = mpi_recv_begin;
        return mpi_p2p_special(p, call, &mpi_recv_kind, type, comm, &any, status);
    }
    struct mpu_request m;
    int error = mpu_recv(p->rank, &m, &c->p2p, mpi_or_any(source, MPI_ANY_SOURCE),
                         mpi_or_any(tag, MPI_ANY_TAG), buf, mpi_ordinary_bytes(t, count), call);
    if (status != MPI_STATUS_IGNORE)
        mpi_status_set(status, m.source, m.tag, (MPI_Count)m.count);
    return error ? mpi_recv_fail(call, c, &m) : MPI_SUCCESS;
}

int PMPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    return mpu_return(recv("MPI_Recv", buf, count, datatype, source, tag, comm, status));
}

int PMPI_Recv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                MPI_Comm comm, MPI_Status *status)
{
    return mpu_return(recv("MPI_Recv_c", buf, count, datatype, source, tag, comm, status));
}
