/* SPDX-License-Identifier: MIT */
/* Persistent sends and receives: checked arguments, with which each MPI_Start begins anew. */
#include "pt2pt/p2p.h"

int mpi_persistent_new(struct mpi_process *p, const char *call, const struct mpi_request_kind *kind,
                       const struct mpi_transfer *t, MPI_Request *request)
{
    struct mpi_persistent *q = mpi_request_new(p, call, kind, t->comm, sizeof *q);
    if (!q)
        return MPI_ERR_NO_MEM;
    q->t = *t;
    q->q.base.flags |= MPI_REQUEST_PERSISTENT;
    mpi_type_retain(t->type);
    *request = mpi_request_handle(q);
    return MPI_SUCCESS;
}

int mpi_persistent_send(struct mpi_request *q, const char *call)
{
    (void)call;
    struct mpi_persistent *s = (struct mpi_persistent *)q;
    return s->t.begin(mpi_process(), &s->q, &s->t);
}

int mpi_persistent_recv(struct mpi_request *q, const char *call)
{
    (void)call;
    struct mpi_persistent *r = (struct mpi_persistent *)q;
    return mpi_recv_begin(mpi_process(), &r->q, &r->t);
}

void mpi_persistent_free(struct mpi_request *q)
{
    if (q->flags & MPI_REQUEST_PERSISTENT)
        mpi_type_release(mpi_process(), ((struct mpi_persistent *)q)->t.type);
}
