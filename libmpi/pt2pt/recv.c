/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "internal/check.h"
#include "internal/status.h"

#pragma weak MPI_Recv = PMPI_Recv
#pragma weak MPI_Recv_c = PMPI_Recv_c

static int or_any(int value, int any)
{
    return value == any ? MPU_ANY : value;
}

static int check(struct mpi_process *p, const char *call, const void *buf, MPI_Count count,
                 MPI_Datatype type, int source, int tag, MPI_Comm comm, struct mpi_comm **c,
                 uint64_t *bytes)
{
    int rc = mpi_check_comm(p, call, comm, c);
    if (rc || (rc = mpi_check_data(*c, call, buf, count, type, bytes)) ||
        (rc = mpi_check_rank(*c, call, source, true)))
        return rc;
    return mpi_check_tag(*c, call, tag, true);
}

static int recv(const char *call, void *buf, MPI_Count count, MPI_Datatype type, int source,
                int tag, MPI_Comm comm, MPI_Status *status)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c;
    uint64_t bytes;
    int rc = check(p, call, buf, count, type, source, tag, comm, &c, &bytes);
    if (rc)
        return rc;
    if (source == MPI_PROC_NULL) {
        mpi_status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        return MPI_SUCCESS;
    }
    struct mpu_request q;
    int from = or_any(source, MPI_ANY_SOURCE), wanted = or_any(tag, MPI_ANY_TAG);
    mpu_doing(p->rank, &(struct mpu_doing){call, c->p2p.name, from, wanted, bytes});
    mpu_recv_start(p->rank, &q, &c->p2p, from, wanted, buf, bytes);
    mpu_wait(&q);
    mpu_doing(p->rank, &(struct mpu_doing){0});
    mpi_status_set(status, q.from, q.sent_tag, (MPI_Count)q.count);
    if (q.error == -B_EMSGSIZE)
        return mpi_error(c, MPI_ERR_TRUNCATE, call,
                         "the message from rank %d with tag %d is longer than the %llu bytes asked",
                         q.from, q.sent_tag, (unsigned long long)bytes);
    return q.error ? mpi_error_below(c, q.error, call) : MPI_SUCCESS;
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
