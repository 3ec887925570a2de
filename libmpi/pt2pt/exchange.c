/* SPDX-License-Identifier: MIT */
#include "pt2pt/exchange.h"
#include "request/status.h"

struct exchange {
    struct mpi_request base;
    struct mpi_p2p send, recv;
    void *copy; /* of what is sent, if it is replaced */
};

static struct exchange *exchange(struct mpi_request *q)
{
    return (struct exchange *)q;
}

static void end(struct exchange *e)
{
    mpu_free(mpi_process()->rank, e->copy);
    e->copy = NULL;
}

static bool poll(struct mpi_request *q)
{
    struct exchange *e = exchange(q);
    bool recv = !mpi_request_pending(&e->recv.base), send = !mpi_request_pending(&e->send.base);
    if (!recv || !send)
        return false;
    end(e);
    q->error = e->recv.base.error ? e->recv.base.error : e->send.base.error;
    return true;
}

static int status(struct mpi_request *q, MPI_Status *s)
{
    mpi_request_status(&exchange(q)->recv.base, s);
    return q->error;
}

static void why(const struct mpi_request *q, char *text, size_t size)
{
    const struct exchange *e = (const struct exchange *)q;
    const struct mpi_request *bad = e->recv.base.error ? &e->recv.base : &e->send.base;
    bad->kind->why(bad, text, size);
}

/* The half that is not there yet. */
static const struct mpi_request *open_half(const struct mpi_request *q)
{
    const struct exchange *e = (const struct exchange *)q;
    return e->recv.base.flags & MPI_REQUEST_COMPLETE ? &e->send.base : &e->recv.base;
}

static void doing(const struct mpi_request *q, struct mpu_doing *d)
{
    const struct mpi_request *open = open_half(q);
    open->kind->doing(open, d);
}

static const struct mpu_request *message(const struct mpi_request *q)
{
    const struct mpi_request *open = open_half(q);
    return open->kind->message(open);
}

static const struct mpi_request_kind kind = {.name = "send and receive",
                                             .poll = poll,
                                             .status = status,
                                             .why = why,
                                             .doing = doing,
                                             .message = message};

int mpi_check_exchange(struct mpi_process *p, const char *call, struct mpi_transfer *s,
                       MPI_Datatype sendtype, struct mpi_transfer *r, MPI_Datatype recvtype,
                       MPI_Comm comm, bool replace)
{
    int rc = mpi_check_transfer(p, call, sendtype, comm, s, false);
    if (rc || (rc = mpi_check_transfer(p, call, recvtype, comm, r, true)))
        return rc;
    if (replace || s->peer == MPI_PROC_NULL || r->peer == MPI_PROC_NULL ||
        !mpi_type_overlap(s->type, s->count, s->buf, r->type, r->count, r->buf))
        return MPI_SUCCESS;
    return mpi_error(s->comm, MPI_ERR_BUFFER, call,
                     "sendbuf and recvbuf overlap; MPI_Sendrecv_replace takes one buffer");
}

/* A copy in one piece. */
static int copy(struct mpi_process *p, struct exchange *e, struct mpi_transfer *s)
{
    e->copy = s->bytes ? mpu_alloc(p->rank, s->bytes) : NULL;
    if (s->bytes && !e->copy)
        return MPI_ERR_NO_MEM;
    if (s->bytes)
        mpi_type_pack(s->type, s->count, s->buf, 0, s->bytes, e->copy);
    s->buf = e->copy;
    s->count = (MPI_Count)s->bytes;
    s->type = mpi_type_of(MPI_BYTE);
    return MPI_SUCCESS;
}

/* The receive could be started but not the send: takes it back, or, if a message has come, takes
 * that. */
static void undo(struct mpi_process *p, struct exchange *e)
{
    e->recv.base.kind->cancel(&e->recv.base);
    mpi_request_wait(p, "MPI_Sendrecv", &e->recv.base);
}

/* Starts both; with `replace` the send first, or the data is copied. e's head is initialized. An
 * error class, not raised. */
static int begin(struct mpi_process *p, struct exchange *e, const struct mpi_transfer *s,
                 const struct mpi_transfer *r, bool replace)
{
    struct mpi_transfer from = *s;
    e->copy = NULL;
    bool sent = replace && mpi_sent_at_once(p, s);
    int rc = replace && !sent ? copy(p, e, &from) : MPI_SUCCESS;
    mpi_request_init(&e->send.base, &mpi_send_kind, s->comm);
    mpi_request_init(&e->recv.base, &mpi_recv_kind, r->comm);
    if (!rc)
        rc = mpi_recv_begin(p, &e->recv, r);
    if (sent)
        mpi_p2p_nobody(&e->send);
    else if (!rc && (rc = mpi_begin_standard(p, &e->send, &from)))
        undo(p, e);
    if (rc)
        end(e);
    else
        e->base.flags |= MPI_REQUEST_ACTIVE;
    return rc;
}

/* A receive is posted while its rank waits for its send, so no send waits for ever. */
static int exchange_plain(struct mpi_process *p, const char *call, const struct mpi_transfer *s,
                          const struct mpi_transfer *r, MPI_Status *st)
{
    struct mpi_comm *c = s->comm;
    struct mpu_request in;
    mpu_recv_start(p->rank, &in, &c->p2p, mpi_or_any(r->peer, MPI_ANY_SOURCE),
                   mpi_or_any(r->tag, MPI_ANY_TAG), r->buf, mpi_type_marked(r->type, r->bytes));
    int sent = mpu_send(p->rank, &c->p2p, s->peer, s->tag, s->buf,
                        mpi_type_marked(s->type, s->bytes), call);
    int got = mpu_recv_wait(p->rank, &in, &c->p2p, call);
    if (st != MPI_STATUS_IGNORE)
        mpi_status_set(st, in.source, in.tag, (MPI_Count)in.count);
    if (got)
        return mpi_recv_fail(call, c, &in);
    return sent ? mpi_error_below(c, sent, call) : MPI_SUCCESS;
}

int mpi_exchange(struct mpi_process *p, const char *call, const struct mpi_transfer *s,
                 const struct mpi_transfer *r, bool replace, MPI_Status *st)
{
    if (!replace && mpi_transfer_plain(s) && mpi_transfer_plain(r))
        return exchange_plain(p, call, s, r, st);
    struct exchange e;
    mpi_request_init(&e.base, &kind, s->comm);
    int rc = begin(p, &e, s, r, replace);
    if (rc)
        return mpi_error(s->comm, rc, call, "no memory for a copy of the data");
    mpi_request_wait(p, call, &e.base);
    rc = mpi_request_status(&e.base, st);
    return rc ? mpi_request_raise(&e.base, rc, call) : MPI_SUCCESS;
}

int mpi_iexchange(struct mpi_process *p, const char *call, const struct mpi_transfer *s,
                  const struct mpi_transfer *r, bool replace, MPI_Request *request)
{
    int rc = mpi_check_out(s->comm, call, request, "request");
    if (rc)
        return rc;
    struct exchange *e = mpi_request_new(p, call, &kind, s->comm, sizeof *e);
    if (!e)
        return MPI_ERR_NO_MEM;
    rc = begin(p, e, s, r, replace);
    return mpi_request_give(p, call, &e->base, rc, request);
}
