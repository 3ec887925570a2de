/* SPDX-License-Identifier: MIT */
/* Nonblocking and persistent collectives: the operation is a request and a flow, whose steps are
 * the rounds. */
#include <stddef.h>

#include <base/error.h>
#include <base/mem.h>
#include <mpiutil/flow.h>

#include "coll/call.h"
#include "coll/engine.h"
#include "coll/forms.h"
#include "comm/comm.h"
#include "info/info.h"
#include "request/request_set.h"

struct request {
    struct mpi_request head;
    struct mpu_flow flow;
    struct mpi_coll coll;
};

/* The first one under way on c's communicator from this tag on; c itself may not be watched yet. */
static int next_tag(const struct mpi_coll *c, int from)
{
    int next = !c->blocking && c->tag >= from ? c->tag : INT32_MAX;
    for (const struct mpi_coll *w = c->p->alarms.watched; w; w = w->watched.next)
        if (w->comm == c->comm && w->tag >= from && w->tag < next)
            next = w->tag;
    return next;
}

/* Persistent ones may be started again at any time. */
void mpi_coll_forget_others(const struct mpi_coll *c)
{
    int from = mpi_coll_forgotten_from(c->comm, 1);
    int end = mpi_coll_first_tag(1) + c->comm->forgotten[1];
    while (from < end && !c->comm->persistents) {
        int next = next_tag(c, from), last = next < end ? next : end;
        if (last > from)
            mpi_coll_forget(c, from, last - 1);
        from = last + MPU_OPERATION_TAGS;
    }
}

static bool poll(struct mpi_request *q)
{
    const struct request *r = (const struct request *)q;
    q->error = r->coll.error;
    return !r->flow.running;
}

static bool step(void *arg)
{
    struct mpi_coll *c = arg;
    bool over = mpi_coll_advance(c);
    if (over)
        mpi_coll_unwatch(c);
    return over;
}

/* The first messages leave at once. */
static int start(struct mpi_request *q, const char *call)
{
    struct request *r = (struct request *)q;
    (void)call;
    q->flags |= MPI_REQUEST_ACTIVE;
    mpi_coll_begin(&r->coll);
    mpi_coll_watch(&r->coll);
    r->flow.calls = r->coll.op && !r->coll.op->handle;
    /* In a channel, or a multicast, no other rank needs this one between its start and its end. */
    r->flow.quiet = r->coll.algorithm->form || r->coll.algorithm->meet;
    mpu_flow_start(&r->flow);
    return MPI_SUCCESS;
}

static void end(struct mpi_request *q)
{
    struct request *r = (struct request *)q;
    mpu_flow_end(&r->flow);
    mpi_coll_end(&r->coll);
}

static void why(const struct mpi_request *q, char *text, size_t size)
{
    mpi_coll_explain(&((struct request *)(uintptr_t)q)->coll, text, size);
}

bool mpi_coll_awaited(const struct mpi_coll *c)
{
    const struct request *r =
        (const struct request *)((const uint8_t *)c - offsetof(struct request, coll));
    const struct mpi_set *s = c->p->waits;
    return s && s->all && mpi_set_has(s, &r->head);
}

static const struct mpi_request_kind once = {
    .name = "collective", .poll = poll, .free = end, .why = why};
static const struct mpi_request_kind persistent = {
    .name = "persistent collective", .poll = poll, .start = start, .free = end, .why = why};

/* The others must not wait for a rank that has no memory for it. */
static __attribute__((cold)) void give_up(struct mpi_coll *c, int class)
{
    c->error = class;
    mpi_coll_absent(c);
    mpi_coll_end(c);
}

/* ... or has no request, or no info, for it. */
static __attribute__((cold)) void give_up_unmade(const struct mpi_coll_kind *kind,
                                                 const struct mpi_coll_args *a, int class)
{
    struct mpi_coll c;
    if (mpi_comm(mpi_running(a->call), a->comm) && !mpi_coll_make(&c, kind, a, false))
        give_up(&c, class);
}

/* Arrays of counts and displacements are copied for operations that outlive the call: programs give
 * them on their stacks, and the bindings of other languages make them for one call. */
static int keep_arrays(struct mpi_coll *c)
{
    struct mpi_numbers *const arrays[] = {&c->send.counts, &c->send.displs, &c->recv.counts,
                                          &c->recv.displs};
    size_t bytes[4], all = 0;
    for (int i = 0; i < 4; i++) {
        /* Reductions have counts of one side only, one per rank of the own group. */
        int blocks = i < 2 ? c->send.blocks : c->recv.blocks;
        size_t n = (size_t)(blocks == MPI_COLL_ONE ? c->size : blocks);
        bytes[i] = !arrays[i]->at ? 0 : n * (arrays[i]->large ? sizeof(MPI_Count) : sizeof(int));
        all += (bytes[i] + 7) / 8 * 8;
    }
    if (!all)
        return MPI_SUCCESS;
    uint8_t *to = c->kept = mpi_alloc(c->p, all);
    if (!to)
        return mpi_error_below(c->comm, -B_ENOMEM, c->call);
    for (int i = 0; i < 4; i++) {
        if (bytes[i]) {
            memcpy(to, arrays[i]->at, bytes[i]);
            arrays[i]->at = to;
        }
        to += (bytes[i] + 7) / 8 * 8;
    }
    return MPI_SUCCESS;
}

static int make_flow(struct mpi_process *p, struct request *q, const struct mpi_coll_kind *kind,
                     const struct mpi_coll_args *a)
{
    if (mpu_flow_make(p->rank, &q->flow, step, &q->coll)) {
        give_up_unmade(kind, a, MPI_ERR_NO_MEM);
        return mpi_error(mpi_comm(p, a->comm), MPI_ERR_NO_MEM, a->call, "no memory for its steps");
    }
    int rc = mpi_coll_make(&q->coll, kind, a, false);
    if (!rc && (rc = keep_arrays(&q->coll)))
        give_up(&q->coll, MPI_ERR_NO_MEM);
    if (rc)
        mpu_flow_end(&q->flow);
    return rc;
}

static int make(const struct mpi_coll_kind *kind, const struct mpi_coll_args *a,
                const struct mpi_request_kind *as, MPI_Request *request, struct request **made)
{
    struct mpi_process *p = mpi_running(a->call);
    if (!p)
        return MPI_ERR_OTHER;
    struct request *q = NULL;
    int rc = mpi_check_out(mpi_comm(p, a->comm), a->call, request, "request");
    if (!rc && !(q = mpi_request_new(p, a->call, as, NULL, sizeof *q)))
        rc = MPI_ERR_NO_MEM;
    if (rc) {
        give_up_unmade(kind, a, rc);
        return rc;
    }
    if ((rc = make_flow(p, q, kind, a))) {
        q->head.magic = MPI_DEAD;
        mpi_free(p, q);
        return rc;
    }
    q->head.comm = q->coll.comm;
    mpi_comm_retain(q->head.comm);
    *made = q;
    return MPI_SUCCESS;
}

int mpi_coll_start(const struct mpi_coll_kind *kind, const struct mpi_coll_args *a,
                   MPI_Request *request)
{
    struct request *q;
    int rc = make(kind, a, &once, request, &q);
    if (rc)
        return rc;
    start(&q->head, a->call);
    *request = mpi_request_handle(q);
    return MPI_SUCCESS;
}

int mpi_coll_init(const struct mpi_coll_kind *kind, const struct mpi_coll_args *a, MPI_Info info,
                  MPI_Request *request)
{
    struct request *q;
    struct mpi_process *p = mpi_running(a->call);
    struct mpi_info *hints; /* checked; none is known here */
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *comm = mpi_comm(p, a->comm);
    int rc = mpi_check_info(p, comm, a->call, info, true, &hints);
    int number = comm ? ++comm->persistents : 0;
    if (rc)
        give_up_unmade(kind, a, rc);
    if (rc || (rc = make(kind, a, &persistent, request, &q)))
        return rc;
    q->coll.place.persistent = number;
    q->head.flags |= MPI_REQUEST_PERSISTENT;
    *request = mpi_request_handle(q);
    return MPI_SUCCESS;
}
