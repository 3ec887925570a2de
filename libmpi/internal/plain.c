/* SPDX-License-Identifier: MIT */
/* The short way of the blocking calls that programs use most. */
#include <base/error.h>

#include "internal/p2p.h"
#include "internal/status.h"

static void wait(struct mpi_process *p, const char *call, const struct mpi_transfer *t, int peer,
                 int tag, struct mpu_request *m)
{
    if (mpu_done(m))
        return;
    mpu_doing(p->rank, &(struct mpu_doing){call, t->comm->p2p.name, peer, tag, t->bytes});
    mpu_wait(m);
    mpu_doing(p->rank, &(struct mpu_doing){0});
}

static int fail(const struct mpi_request_kind *kind, const char *call, const struct mpi_transfer *t,
                const struct mpu_request *m)
{
    struct mpi_p2p q;
    mpi_request_init(&q.base, kind, t->comm);
    q.base.error = mpi_p2p_class(m);
    q.m = *m;
    return mpi_request_raise(&q.base, q.base.error, call);
}

int mpi_plain_send(struct mpi_process *p, const char *call, const struct mpi_transfer *t)
{
    const struct mpu_comm *c = &t->comm->p2p;
    uint64_t n = mpi_type_marked(t->type, t->bytes);
    if (mpu_send_now(p->rank, c, t->peer, t->tag, t->buf, n))
        return MPI_SUCCESS;
    struct mpu_request m;
    mpu_send_start(p->rank, &m, c, t->peer, t->tag, t->buf, n);
    wait(p, call, t, t->peer, t->tag, &m);
    return m.error ? fail(&mpi_send_kind, call, t, &m) : MPI_SUCCESS;
}

int mpi_plain_recv(struct mpi_process *p, const char *call, const struct mpi_transfer *t,
                   MPI_Status *status)
{
    int peer = mpi_or_any(t->peer, MPI_ANY_SOURCE), tag = mpi_or_any(t->tag, MPI_ANY_TAG);
    struct mpu_request m;
    mpu_recv_start(p->rank, &m, &t->comm->p2p, peer, tag, t->buf,
                   mpi_type_marked(t->type, t->bytes));
    wait(p, call, t, peer, tag, &m);
    mpi_status_set(status, m.from, m.sent_tag, (MPI_Count)m.count);
    return m.error ? fail(&mpi_recv_kind, call, t, &m) : MPI_SUCCESS;
}
