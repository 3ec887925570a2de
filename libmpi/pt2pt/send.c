/* SPDX-License-Identifier: MIT */
#include "internal/check.h"

#pragma weak MPI_Send = PMPI_Send
#pragma weak MPI_Send_c = PMPI_Send_c

static int send(const char *call, const void *buf, MPI_Count count, MPI_Datatype type, int dest,
                int tag, MPI_Comm comm)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    uint64_t bytes;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_data(c, call, buf, count, type, &bytes)) ||
        (rc = mpi_check_rank(c, call, dest, false)) || (rc = mpi_check_tag(c, call, tag, false)))
        return rc;
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    struct mpu_request q;
    mpu_doing(p->rank, &(struct mpu_doing){call, c->p2p.name, dest, tag, bytes});
    mpu_send_start(p->rank, &q, &c->p2p, dest, tag, buf, bytes);
    mpu_wait(&q);
    mpu_doing(p->rank, &(struct mpu_doing){0});
    return q.error ? mpi_error_below(c, q.error, call) : MPI_SUCCESS;
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
