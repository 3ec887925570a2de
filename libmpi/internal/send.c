/* SPDX-License-Identifier: MIT */
/* The sends, of all modes: blocking, nonblocking, persistent. */
#include "internal/p2p.h"

int mpi_send(const char *call, const void *buf, MPI_Count count, MPI_Datatype type, int dest,
             int tag, MPI_Comm comm, enum mpi_send_mode mode)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_transfer t;
    int rc = mpi_check_send(p, call, buf, count, type, dest, tag, comm, &t);
    if (rc)
        return rc;
    t.mode = mode;
    if (mpi_plain(&t))
        return mpi_plain_send(p, call, &t);
    struct mpi_p2p q;
    mpi_request_init(&q.base, &mpi_send_kind, t.comm);
    rc = mpi_send_begin(p, &q, &t);
    if (rc)
        return mpi_error(t.comm, rc, call, "%s", mpi_class_text(rc));
    return mpi_p2p_finish(p, call, &q, MPI_STATUS_IGNORE);
}

int mpi_isend(const char *call, const void *buf, MPI_Count count, MPI_Datatype type, int dest,
              int tag, MPI_Comm comm, enum mpi_send_mode mode, MPI_Request *request)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_transfer t;
    int rc = mpi_check_send(p, call, buf, count, type, dest, tag, comm, &t);
    if (rc || (rc = mpi_check_out(t.comm, call, request, "request")))
        return rc;
    struct mpi_p2p *q = mpi_request_new(p, call, &mpi_send_kind, t.comm, sizeof *q);
    if (!q)
        return MPI_ERR_NO_MEM;
    t.mode = mode;
    rc = mpi_send_begin(p, q, &t);
    return mpi_request_give(p, call, &q->base, rc, request);
}

int mpi_send_init(const char *call, const void *buf, MPI_Count count, MPI_Datatype type, int dest,
                  int tag, MPI_Comm comm, enum mpi_send_mode mode, MPI_Request *request)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_transfer t;
    int rc = mpi_check_send(p, call, buf, count, type, dest, tag, comm, &t);
    if (rc || (rc = mpi_check_out(t.comm, call, request, "request")))
        return rc;
    t.mode = mode;
    return mpi_persistent_new(p, call, &mpi_send_kind, &t, request);
}
