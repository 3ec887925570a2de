/* SPDX-License-Identifier: MIT */
/* The sends, of all modes: blocking, nonblocking, persistent. */
#include "pt2pt/p2p.h"

int mpi_send(const char *call, const void *buf, MPI_Count count, MPI_Datatype type, int dest,
             int tag, MPI_Comm comm, mpi_begin_fn *begin)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c = mpi_comm_of(p, comm);
    const struct mpi_type *t = mpi_type_predefined(type);
    if (begin != mpi_begin_standard || !mpi_ordinary(c, t, buf, count, dest, tag, false)) {
        struct mpi_transfer any = mpi_transfer(buf, count, dest, tag);
        any.begin = begin;
        return mpi_p2p_special(p, call, &mpi_send_kind, type, comm, &any, MPI_STATUS_IGNORE);
    }
    int error = mpu_send(p->rank, &c->p2p, dest, tag, buf, mpi_ordinary_bytes(t, count), call);
    return error ? mpi_error_below(c, error, call) : MPI_SUCCESS;
}

int mpi_isend(const char *call, const void *buf, MPI_Count count, MPI_Datatype type, int dest,
              int tag, MPI_Comm comm, mpi_begin_fn *begin, MPI_Request *request)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_transfer t;
    int rc = mpi_check_isend(p, call, buf, count, type, dest, tag, comm, request, &t);
    if (rc)
        return rc;
    t.begin = begin;
    if (begin == mpi_begin_standard && (p->requests || mpi_requests(p)) &&
        mpi_sent_at_once(p, &t)) {
        *request = mpi_request_handle(&p->requests->sent);
        return MPI_SUCCESS;
    }
    struct mpi_p2p *q = mpi_request_pooled(p, call, &mpi_send_kind, t.comm, sizeof *q);
    if (!q)
        return MPI_ERR_NO_MEM;
    rc = begin(p, q, &t);
    return mpi_request_give(p, call, &q->base, rc, request);
}

int mpi_send_init(const char *call, const void *buf, MPI_Count count, MPI_Datatype type, int dest,
                  int tag, MPI_Comm comm, mpi_begin_fn *begin, MPI_Request *request)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_transfer t;
    int rc = mpi_check_isend(p, call, buf, count, type, dest, tag, comm, request, &t);
    if (rc)
        return rc;
    t.begin = begin;
    return mpi_persistent_new(p, call, &mpi_send_kind, &t, request);
}
