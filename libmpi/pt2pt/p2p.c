/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/fmt.h>

#include "pt2pt/p2p.h"
#include "request/status.h"

__attribute__((cold)) int mpi_check_special(struct mpi_process *p, const char *call,
                                            MPI_Datatype type, MPI_Comm comm,
                                            struct mpi_transfer *t, bool receive)
{
    int rc = mpi_check_comm(p, call, comm, &t->comm);
    if (rc || (rc = mpi_check_data(t->comm, call, t->buf, t->count, type, &t->type, &t->bytes)) ||
        (rc = mpi_check_rank(t->comm, call, t->peer, receive)))
        return rc;
    return mpi_check_tag(t->comm, call, t->tag, receive);
}

static int p2p_class(const struct mpu_request *m)
{
    return m->error ? mpi_class_below(m->error) : MPI_SUCCESS;
}

/* Kinds ---------------------------------------------------------------------------------------- */

_Static_assert(offsetof(struct mpi_p2p, m) == sizeof(struct mpi_request), "mpi_request_message");

static struct mpi_p2p *p2p(struct mpi_request *q)
{
    return (struct mpi_p2p *)q;
}

static bool send_poll(struct mpi_request *q)
{
    if (!mpu_done(&p2p(q)->m))
        return false;
    if (p2p(q)->m.cancelled)
        q->flags |= MPI_REQUEST_CANCELLED;
    if (p2p(q)->data.type)
        mpi_data_end(mpi_process(), &p2p(q)->data);
    q->error = p2p_class(&p2p(q)->m);
    return true;
}

static bool recv_poll(struct mpi_request *q)
{
    struct mpi_p2p *r = p2p(q);
    bool cancelled = q->flags & MPI_REQUEST_CANCELLED; /* then r->m says nothing */
    if (!cancelled && !mpu_done(&r->m))
        return false;
    if (r->data.type && !cancelled)
        mpi_data_unpack(&r->data, r->m.count);
    if (r->data.type)
        mpi_data_end(mpi_process(), &r->data);
    q->error = cancelled ? MPI_SUCCESS : p2p_class(&r->m);
    return true;
}

static int recv_status(struct mpi_request *q, MPI_Status *status)
{
    const struct mpi_p2p *r = p2p(q);
    if (q->flags & MPI_REQUEST_CANCELLED) {
        mpi_status_empty(status);
        mpi_status_cancelled(status, true);
    } else {
        mpi_status_set(status, r->m.source, r->m.tag, (MPI_Count)r->m.count);
    }
    return q->error;
}

/* Whether it was cancelled its poll finds out, so there is something left to do. */
static __attribute__((cold)) int send_cancel(struct mpi_request *q)
{
    q->flags &= (uint16_t)~MPI_REQUEST_PLAIN;
    if (!mpu_done(&p2p(q)->m))
        mpu_send_cancel(&p2p(q)->m);
    return MPI_SUCCESS;
}

static __attribute__((cold)) int recv_cancel(struct mpi_request *q)
{
    if (!mpu_done(&p2p(q)->m) && mpu_recv_cancel(&p2p(q)->m))
        q->flags |= MPI_REQUEST_CANCELLED;
    return MPI_SUCCESS;
}

static __attribute__((cold)) void explain(const struct mpu_request *m, char *text, size_t size)
{
    int class = mpi_class_below(m->error);
    if (class == MPI_ERR_TYPE)
        b_fmt(text, size, "the message from rank %d with tag %d has %s, not the %s asked",
              m->source, m->tag, mpi_mark_text(m->sent_mark), mpi_mark_text(m->mark));
    else if (class == MPI_ERR_TRUNCATE)
        b_fmt(text, size,
              "the message from rank %d with tag %d is longer than the %llu bytes asked", m->source,
              m->tag, (unsigned long long)m->size);
    else
        b_fmt(text, size, "%s", b_error_message(m->error));
}

__attribute__((cold)) int mpi_recv_fail(const char *call, struct mpi_comm *c,
                                        const struct mpu_request *m)
{
    char text[MPI_WHY];
    explain(m, text, sizeof text);
    return mpi_error(c, mpi_class_below(m->error), call, "%s", text);
}

static __attribute__((cold)) void why(const struct mpi_request *q, char *text, size_t size)
{
    explain(&((const struct mpi_p2p *)q)->m, text, size);
}

static void recv_doing(const struct mpi_request *q, struct mpu_doing *d)
{
    const struct mpu_request *m = &((const struct mpi_p2p *)q)->m;
    d->peer = m->source;
    d->tag = m->tag;
    d->bytes = m->size;
}

/* A send does not know the peer's rank in the communicator any more. */
static __attribute__((cold)) void send_doing(const struct mpi_request *q, struct mpu_doing *d)
{
    recv_doing(q, d);
    const struct mpu_comm *c = &q->comm->p2p;
    int world = ((const struct mpi_p2p *)q)->m.world;
    d->peer = 0;
    while (d->peer < c->size - 1 && mpu_comm_world(c, d->peer) != world)
        d->peer++;
}

static const struct mpu_request *message(const struct mpi_request *q)
{
    return &((const struct mpi_p2p *)q)->m;
}

const struct mpi_request_kind mpi_send_kind = {.name = "send",
                                               .poll = send_poll,
                                               .start = mpi_persistent_send,
                                               .cancel = send_cancel,
                                               .free = mpi_persistent_free,
                                               .why = why,
                                               .doing = send_doing,
                                               .message = message};
const struct mpi_request_kind mpi_recv_kind = {.name = "receive",
                                               .poll = recv_poll,
                                               .start = mpi_persistent_recv,
                                               .status = recv_status,
                                               .cancel = recv_cancel,
                                               .free = mpi_persistent_free,
                                               .why = why,
                                               .doing = recv_doing,
                                               .message = message};

/* Start ---------------------------------------------------------------------------------------- */

void mpi_p2p_nobody(struct mpi_p2p *q)
{
    q->data = (struct mpi_data){0};
    q->m = (struct mpu_request){.source = MPI_PROC_NULL, .tag = MPI_ANY_TAG, .done = true};
    q->base.flags |= MPI_REQUEST_ACTIVE;
}

static inline void started(struct mpi_p2p *q)
{
    q->base.flags |= q->data.type ? MPI_REQUEST_ACTIVE : MPI_REQUEST_ACTIVE | MPI_REQUEST_PLAIN;
}

typedef void start_fn(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c, int to,
                      int tag, const void *buf, uint64_t n);

static inline int send_begin(struct mpi_process *p, struct mpi_p2p *q, const struct mpi_transfer *t,
                             start_fn *start)
{
    if (t->peer == MPI_PROC_NULL) {
        mpi_p2p_nobody(q);
        return MPI_SUCCESS;
    }
    int rc = mpi_data_begin(p, &q->data, t->buf, t->count, t->type, t->bytes, true);
    if (rc)
        return rc;
    started(q);
    uint64_t n = mpi_type_marked(t->type, t->bytes) | mpi_data_streamed(&q->data);
    start(p->rank, &q->m, &t->comm->p2p, t->peer, t->tag, q->data.bytes, n);
    return MPI_SUCCESS;
}

int mpi_begin_standard(struct mpi_process *p, struct mpi_p2p *q, const struct mpi_transfer *t)
{
    return send_begin(p, q, t, mpu_send_start);
}

int mpi_begin_sync(struct mpi_process *p, struct mpi_p2p *q, const struct mpi_transfer *t)
{
    return send_begin(p, q, t, mpu_send_sync_start);
}

int mpi_recv_begin(struct mpi_process *p, struct mpi_p2p *q, const struct mpi_transfer *t)
{
    if (t->peer == MPI_PROC_NULL) {
        mpi_p2p_nobody(q);
        return MPI_SUCCESS;
    }
    int rc = mpi_data_begin(p, &q->data, t->buf, t->count, t->type, t->bytes, false);
    if (rc)
        return rc;
    started(q);
    uint64_t n = mpi_type_marked(t->type, t->bytes) | mpi_data_streamed(&q->data);
    mpu_recv_start(p->rank, &q->m, &t->comm->p2p, mpi_or_any(t->peer, MPI_ANY_SOURCE),
                   mpi_or_any(t->tag, MPI_ANY_TAG), q->data.bytes, n);
    return MPI_SUCCESS;
}

int mpi_p2p_finish(struct mpi_process *p, const char *call, struct mpi_p2p *q, MPI_Status *status)
{
    mpi_request_wait(p, call, &q->base);
    int error = mpi_request_status(&q->base, status);
    return error ? mpi_request_raise(&q->base, error, call) : MPI_SUCCESS;
}

__attribute__((cold)) int mpi_p2p_special(struct mpi_process *p, const char *call,
                                          const struct mpi_request_kind *kind, MPI_Datatype type,
                                          MPI_Comm comm, struct mpi_transfer *t, MPI_Status *status)
{
    struct mpi_p2p q;
    int rc = mpi_check_special(p, call, type, comm, t, kind == &mpi_recv_kind);
    if (rc)
        return rc;
    mpi_request_init(&q.base, kind, t->comm);
    rc = t->begin(p, &q, t);
    if (rc)
        return mpi_error(t->comm, rc, call, "%s", mpi_class_text(rc));
    return mpi_p2p_finish(p, call, &q, status);
}
