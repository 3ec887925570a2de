/* SPDX-License-Identifier: MIT */
#include <base/fmt.h>
#include <mpiutil/help.h>

#include "request/request_set.h"
#include "request/status.h"

#define POOL 8 /* requests that memory is taken for at once: half a page */

void mpi_request_recycle(struct mpi_process *p, struct mpi_request *q)
{
    mpi_comm_release(p, q->comm);
    q->magic = MPI_DEAD;
    q->next = p->requests->spare;
    p->requests->spare = q;
}

/* The end of a request, and of the types that it has, may call a function of the program. One that
 * the program has given up ends here, and not where it must not be called. */
static bool must_wait(const struct mpi_process *p, const struct mpi_request *q)
{
    return (q->flags & MPI_REQUEST_FREED) && mpu_helping(p->rank);
}

/* Of q, which is not active. An error of its end, not raised. */
static int end(struct mpi_process *p, struct mpi_request *q)
{
    int rc = q->kind->finish ? q->kind->finish(q) : MPI_SUCCESS;
    if (q->kind->free)
        q->kind->free(q);
    if (q->flags & MPI_REQUEST_POOLED) {
        mpi_request_recycle(p, q);
        return rc;
    }
    if (q->comm)
        mpi_comm_release(p, q->comm);
    q->magic = MPI_DEAD;
    mpi_free(p, q);
    return rc;
}

/* Each is polled once; what it starts and what is done at once it sees in its own poll. */
static void advance(void *arg)
{
    struct mpi_process *p = arg;
    for (struct mpi_request **at = &p->requests->watched; *at;) {
        struct mpi_request *q = *at;
        if (must_wait(p, q) || mpi_request_pending(q)) {
            at = &q->next;
            continue;
        }
        *at = q->next;
        q->flags &= (uint16_t)~MPI_REQUEST_WATCHED;
        if (q->flags & MPI_REQUEST_FREED)
            end(p, q);
    }
    if (!p->requests->watched)
        mpu_set_advance(p->rank, NULL, NULL);
}

/* It is too late to cancel it. */
static int sent_cancel(struct mpi_request *q)
{
    (void)q;
    return MPI_SUCCESS;
}

static const struct mpi_request_kind sent_kind = {.name = "send", .cancel = sent_cancel};

struct mpi_requests *mpi_requests(struct mpi_process *p)
{
    if (!p->requests && (p->requests = mpi_alloc(p, sizeof *p->requests))) {
        mpi_request_init(&p->requests->sent, &sent_kind, NULL);
        p->requests->sent.flags = MPI_REQUEST_ACTIVE | MPI_REQUEST_COMPLETE | MPI_REQUEST_SHARED;
    }
    return p->requests;
}

void mpi_request_init(struct mpi_request *q, const struct mpi_request_kind *kind,
                      struct mpi_comm *c)
{
    *q = (struct mpi_request){.magic = MPI_IS_REQUEST, .kind = kind, .comm = c};
}

static __attribute__((cold)) void *no_memory(const char *call, struct mpi_comm *c, size_t size)
{
    mpi_error(c, MPI_ERR_NO_MEM, call, "no memory for a request of %lu bytes", (unsigned long)size);
    return NULL;
}

/* POOL requests of `size` bytes more. */
static __attribute__((cold)) struct mpi_request *spare_more(struct mpi_process *p, size_t size)
{
    char *more = p->requests || mpi_requests(p) ? mpu_keep(p->rank, POOL * size) : NULL;
    for (int i = 0; more && i < POOL; i++) {
        struct mpi_request *q = (void *)(more + (size_t)i * size);
        q->next = p->requests->spare;
        p->requests->spare = q;
    }
    return more ? p->requests->spare : NULL;
}

void *mpi_request_pooled(struct mpi_process *p, const char *call,
                         const struct mpi_request_kind *kind, struct mpi_comm *c, size_t size)
{
    struct mpi_request *q = p->requests ? p->requests->spare : NULL;
    if (!q && !(q = spare_more(p, size)))
        return no_memory(call, c, size);
    p->requests->spare = q->next;
    mpi_request_init(q, kind, c);
    q->flags = MPI_REQUEST_POOLED;
    mpi_comm_retain(c);
    return q;
}

/* The state is made first, so that watching cannot fail. */
void *mpi_request_new(struct mpi_process *p, const char *call, const struct mpi_request_kind *kind,
                      struct mpi_comm *c, size_t size)
{
    struct mpi_request *q = p->requests || mpi_requests(p) ? mpi_alloc(p, size) : NULL;
    if (!q)
        return no_memory(call, c, size);
    mpi_request_init(q, kind, c);
    if (c)
        mpi_comm_retain(c);
    return q;
}

void mpi_request_watch(struct mpi_process *p, struct mpi_request *q)
{
    if (q->flags & MPI_REQUEST_WATCHED)
        return;
    q->flags |= MPI_REQUEST_WATCHED;
    q->next = p->requests->watched;
    p->requests->watched = q;
    mpu_set_advance(p->rank, advance, p);
}

int mpi_request_drop(struct mpi_process *p, struct mpi_request *q)
{
    if (q->flags & MPI_REQUEST_SHARED)
        return MPI_SUCCESS;
    q->flags |= MPI_REQUEST_FREED;
    if (!(q->flags & MPI_REQUEST_WATCHED) && !mpi_request_pending(q))
        return end(p, q);
    mpi_request_watch(p, q);
    return MPI_SUCCESS;
}

bool mpi_request_pending(struct mpi_request *q)
{
    if ((q->flags & (MPI_REQUEST_ACTIVE | MPI_REQUEST_COMPLETE)) != MPI_REQUEST_ACTIVE)
        return false;
    if (!q->kind->poll(q))
        return true;
    q->flags |= MPI_REQUEST_COMPLETE;
    return false;
}

void mpi_request_await(struct mpi_process *p, const struct mpi_request *q)
{
    if (q->kind->message)
        mpu_await(p->rank, q->kind->message(q));
}

struct waiting {
    struct mpi_process *p;
    struct mpi_request *q;
};

static bool complete(void *arg)
{
    const struct waiting *w = arg;
    bool pending = mpi_request_pending(w->q);
    if (pending)
        mpi_request_await(w->p, w->q);
    return !pending;
}

void mpi_request_wait(struct mpi_process *p, const char *call, struct mpi_request *q)
{
    if (!mpi_request_pending(q))
        return;
    const MPI_Request handle = mpi_request_handle(q);
    const struct mpi_set alone = {.array = &handle, .n = 1, .all = true};
    struct mpu_doing d = {
        .call = call, .comm = q->comm ? &q->comm->p2p : NULL, .peer = MPU_ALL, .tag = MPU_ANY};
    if (q->kind->doing)
        q->kind->doing(q, &d);
    mpu_doing(p->rank, &d);
    p->waits = &alone;
    mpu_until(p->rank, complete, &(struct waiting){p, q});
    p->waits = NULL;
    mpu_did(p->rank);
}

int mpi_request_status(struct mpi_request *q, MPI_Status *status)
{
    MPI_Status ignored, *s = status == MPI_STATUS_IGNORE ? &ignored : status;
    if (!mpi_request_active(q)) {
        mpi_status_empty(s);
        s->MPI_ERROR = MPI_SUCCESS;
        return MPI_SUCCESS;
    }
    if (q->kind->status)
        return q->kind->status(q, s);
    mpi_status_empty(s);
    if (q->flags & MPI_REQUEST_CANCELLED)
        mpi_status_cancelled(s, true);
    return q->error;
}

void mpi_request_class_why(const struct mpi_request *q, char *text, size_t size)
{
    const char *class = mpi_class_text(q->error);
    b_fmt(text, size, "%s failed: %s", q->kind->name, class ? class : "an error of its own");
}

int mpi_request_raise(const struct mpi_request *q, int error, const char *call)
{
    char text[MPI_WHY];
    q->kind->why(q, text, sizeof text);
    return mpi_error(q->comm, error, call, "%s", text);
}

int mpi_request_give(struct mpi_process *p, const char *call, struct mpi_request *q, int error,
                     MPI_Request *request)
{
    if (!error) {
        *request = mpi_request_handle(q);
        return MPI_SUCCESS;
    }
    struct mpi_comm *c = q->comm;
    end(p, q);
    return mpi_error(c, error, call, "%s", mpi_class_text(error));
}

/* One that advances by itself is out of its list before it is freed or used again: complete ones
 * leave it when the rank makes progress next. */
int mpi_request_end(struct mpi_process *p, MPI_Request *handle)
{
    struct mpi_request *q = mpi_request_of(*handle);
    if (!q)
        return MPI_SUCCESS;
    if (q->flags & MPI_REQUEST_WATCHED)
        advance(p);
    if (q->flags & MPI_REQUEST_PERSISTENT) {
        q->flags &= (uint16_t) ~(MPI_REQUEST_ACTIVE | MPI_REQUEST_COMPLETE | MPI_REQUEST_CANCELLED);
        return MPI_SUCCESS;
    }
    *handle = MPI_REQUEST_NULL;
    return q->flags & MPI_REQUEST_SHARED ? MPI_SUCCESS : end(p, q);
}

static inline bool is_request(struct mpu_bounds memory, MPI_Request handle)
{
    const struct mpi_request *q = (const struct mpi_request *)handle;
    return mpi_may_lie_in(memory, q) && q->magic == MPI_IS_REQUEST &&
           !(q->flags & MPI_REQUEST_FREED);
}

int mpi_check_request(const char *call, MPI_Request handle, struct mpi_request **q)
{
    struct mpi_process *p = mpi_process();
    *q = mpi_request_of(handle);
    if (!*q || (p && is_request(mpu_bounds(p->rank), handle)))
        return MPI_SUCCESS;
    *q = NULL;
    return mpi_error(NULL, MPI_ERR_REQUEST, call, "the handle is no request");
}

int mpi_check_requests(const char *call, int n, const MPI_Request *array)
{
    if (n < 0)
        return mpi_error(NULL, MPI_ERR_COUNT, call, "count %d is negative", n);
    if (n && !array)
        return mpi_error(NULL, MPI_ERR_REQUEST, call, "the array of requests is a null pointer");
    const struct mpi_process *p = mpi_process();
    struct mpu_bounds memory = p ? mpu_bounds(p->rank) : (struct mpu_bounds){0, 0};
    for (int i = 0; i < n; i++)
        if (array[i] != MPI_REQUEST_NULL && !is_request(memory, array[i]))
            return mpi_error(NULL, MPI_ERR_REQUEST, call, "element %d is no request", i);
    return MPI_SUCCESS;
}
