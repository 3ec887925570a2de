/* SPDX-License-Identifier: MIT */
#include "pt2pt/probing.h"
#include "request/status.h"

struct search {
    struct mpi_process *p;
    struct mpi_probe *w;
};

static bool look(void *arg)
{
    const struct search *s = arg;
    struct mpi_probe *w = s->w;
    w->arrival = mpu_probe(s->p->rank, &w->comm->p2p, mpi_or_any(w->source, MPI_ANY_SOURCE),
                           mpi_or_any(w->tag, MPI_ANY_TAG), w->take);
    w->found = w->arrival != NULL;
    return w->found;
}

static void find(struct mpi_process *p, const char *call, struct mpi_probe *w)
{
    struct search s = {p, w};
    struct mpu_doing d = {.call = call,
                          .comm = &w->comm->p2p,
                          .peer = mpi_or_any(w->source, MPI_ANY_SOURCE),
                          .tag = mpi_or_any(w->tag, MPI_ANY_TAG)};
    if (look(&s) || (!w->wait && mpi_progress(p) && look(&s))) {
        mpi_asks_no_more(p);
        return;
    }
    if (!w->wait) {
        mpi_asks(p, &d);
        return;
    }
    mpu_doing(p->rank, &d);
    mpu_until(p->rank, look, &s);
    mpu_did(p->rank);
}

int mpi_probe(struct mpi_process *p, const char *call, struct mpi_probe *w, MPI_Status *status)
{
    int rc = mpi_check_rank(w->comm, call, w->source, true);
    if (rc || (rc = mpi_check_tag(w->comm, call, w->tag, true)))
        return rc;
    if (w->source == MPI_PROC_NULL) {
        w->found = true;
        mpi_status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        return MPI_SUCCESS;
    }
    find(p, call, w);
    if (w->found) {
        const struct mpu_wire *m = &w->arrival->wire;
        mpi_status_set(status, (int)m->source, m->tag, (MPI_Count)m->size);
    }
    return MPI_SUCCESS;
}

int mpi_message_give(struct mpi_process *p, const char *call, const struct mpi_probe *w,
                     MPI_Message *message)
{
    if (!w->arrival) {
        *message = MPI_MESSAGE_NO_PROC;
        return MPI_SUCCESS;
    }
    struct mpi_message *m = mpi_alloc(p, sizeof *m);
    if (!m)
        return mpi_error(w->comm, MPI_ERR_NO_MEM, call, "no memory for a message handle");
    *m = (struct mpi_message){MPI_IS_MESSAGE, w->comm, w->arrival};
    mpi_comm_retain(w->comm);
    *message = (MPI_Message)m;
    return MPI_SUCCESS;
}

/* The message of a handle, NULL for MPI_MESSAGE_NO_PROC. */
static int check_message(const char *call, const MPI_Message *handle, struct mpi_message **m)
{
    int rc = mpi_check_out(NULL, call, handle, "message");
    if (rc)
        return rc;
    *m = NULL;
    if (*handle == MPI_MESSAGE_NO_PROC)
        return MPI_SUCCESS;
    *m = (struct mpi_message *)*handle;
    if (*handle != MPI_MESSAGE_NULL && mpi_may_be_object(*m) && (*m)->magic == MPI_IS_MESSAGE)
        return MPI_SUCCESS;
    return mpi_error(NULL, MPI_ERR_REQUEST, call, "%s is no message",
                     *handle == MPI_MESSAGE_NULL ? "MPI_MESSAGE_NULL" : "the handle");
}

int mpi_check_mrecv(struct mpi_process *p, const char *call, void *buf, MPI_Count count,
                    MPI_Datatype type, const MPI_Message *handle, struct mpi_message **m,
                    struct mpi_transfer *t)
{
    int rc = check_message(call, handle, m);
    if (rc)
        return rc;
    struct mpi_comm *c = *m ? (*m)->comm : &p->self;
    *t = (struct mpi_transfer){.comm = c, .buf = buf, .count = count};
    return mpi_check_data(c, call, buf, count, type, &t->type, &t->bytes);
}

int mpi_mrecv_begin(struct mpi_process *p, struct mpi_p2p *q, const struct mpi_transfer *t,
                    struct mpi_message *m, MPI_Message *handle)
{
    if (!m) {
        mpi_p2p_nobody(q);
        *handle = MPI_MESSAGE_NULL;
        return MPI_SUCCESS;
    }
    int rc = mpi_data_begin(p, &q->data, t->buf, t->count, t->type, t->bytes, false);
    if (rc)
        return rc;
    q->base.flags |= MPI_REQUEST_ACTIVE;
    mpu_recv_taken(p->rank, &q->m, m->arrival, q->data.bytes,
                   mpi_type_marked(t->type, t->bytes) | mpi_data_streamed(&q->data));
    mpi_comm_release(p, m->comm);
    m->magic = MPI_DEAD;
    mpi_free(p, m);
    *handle = MPI_MESSAGE_NULL;
    return MPI_SUCCESS;
}
