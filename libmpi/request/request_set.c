/* SPDX-License-Identifier: MIT */
#include "request/request_set.h"
#include "request/status.h"

static struct mpi_request *at(const struct mpi_set *s, int i)
{
    return mpi_request_of(s->array[i]);
}

/* From where the last one that was not complete is: looked at once each, however often this is
 * asked. */
bool mpi_set_all(struct mpi_set *s)
{
    while (s->index < s->n && !(at(s, s->index) && mpi_request_pending(at(s, s->index))))
        s->index++;
    if (s->index < s->n)
        mpi_request_await(s->p, at(s, s->index));
    return s->index == s->n;
}

bool mpi_set_any(struct mpi_set *s)
{
    const MPI_Request *array = s->array;
    bool active = false;
    for (int i = 0, n = s->n; i < n; i++) {
        struct mpi_request *q = mpi_request_of(array[i]);
        if (!mpi_request_active(q))
            continue;
        if (!mpi_request_pending(q)) {
            s->index = i;
            return true;
        }
        active = true;
    }
    s->index = MPI_UNDEFINED;
    return !active;
}

struct waiting {
    const char *call;
    struct mpi_set *set;
    mpi_set_done *done;
};

static bool needs(const struct mpi_set *s, mpi_set_done *done)
{
    return done == mpi_set_all || s->n == 1;
}

/* In the report of waiting ranks stands the first that is not complete; if another one would do as
 * well, not whose it is. */
static __attribute__((noinline)) struct mpu_doing doing(const struct waiting *w)
{
    const struct mpi_set *s = w->set;
    struct mpu_doing d = {.call = w->call, .peer = MPU_ALL, .tag = MPU_ANY};
    for (int i = s->index == MPI_UNDEFINED ? 0 : s->index; i < s->n; i++) {
        const struct mpi_request *q = at(s, i);
        if (!mpi_request_active(q) || (q->flags & MPI_REQUEST_COMPLETE))
            continue;
        d.comm = q->comm ? &q->comm->p2p : NULL;
        if (q->kind->doing)
            q->kind->doing(q, &d);
        break;
    }
    if (!needs(s, w->done))
        d.peer = d.tag = MPU_ANY;
    return d;
}

static __attribute__((noinline)) void tell(const struct waiting *w)
{
    struct mpu_doing d = doing(w);
    mpu_doing(w->set->p->rank, &d);
}

/* Where all must be complete, another one may be the first that is not. */
static bool done_of(void *arg)
{
    const struct waiting *w = arg;
    int before = w->set->index;
    bool done = w->done(w->set);
    if (!done && w->set->index != before)
        tell(w);
    return done;
}

bool mpi_set_has(const struct mpi_set *s, const struct mpi_request *q)
{
    int i = 0;
    while (i < s->n && at(s, i) != q)
        i++;
    return i < s->n;
}

void mpi_set_wait(struct mpi_process *p, const char *call, struct mpi_set *s, mpi_set_done *done)
{
    s->p = p;
    if (done(s))
        return;
    struct waiting w = {call, s, done};
    tell(&w);
    p->stuck = needs(s, done) ? s : NULL;
    mpu_until(p->rank, done_of, &w);
    p->stuck = NULL;
    mpu_did(p->rank);
}

bool mpi_set_try(struct mpi_process *p, const char *call, struct mpi_set *s, mpi_set_done *done)
{
    s->p = p;
    if (done(s) || (mpi_progress(p) && done(s))) {
        mpi_asks_no_more(p);
        return true;
    }
    struct mpu_doing d = doing(&(struct waiting){call, s, done});
    mpi_asks(p, &d);
    return false;
}

static int end(struct mpi_process *p, struct mpi_set *s, int i)
{
    bool ends = s->handles && mpi_request_active(at(s, i));
    return ends ? mpi_request_end(p, &s->handles[i]) : MPI_SUCCESS;
}

/* Nothing is to be told of its end but that. */
static inline bool is_over(const struct mpi_request *q)
{
    return !q ||
           ((q->flags & (MPI_REQUEST_COMPLETE | MPI_REQUEST_CANCELLED)) == MPI_REQUEST_COMPLETE &&
            !q->error && (q->kind->message || (q->flags & MPI_REQUEST_SHARED)));
}

/* Gives the status of such a one, request i, and ends it. */
static inline void give_good(struct mpi_process *p, struct mpi_set *set, int i, MPI_Status *status)
{
    struct mpi_request *q = at(set, i);
    if (status != MPI_STATUS_IGNORE && q && q->kind->status)
        q->kind->status(q, status);
    else if (status != MPI_STATUS_IGNORE)
        mpi_status_empty(status);
    if (q && set->handles)
        mpi_request_end(p, &set->handles[i]);
}

int mpi_set_end_one(struct mpi_process *p, const char *call, struct mpi_set *s, MPI_Status *status)
{
    struct mpi_request *q = s->index == MPI_UNDEFINED ? NULL : at(s, s->index);
    if (q && is_over(q)) {
        give_good(p, s, s->index, status);
        return MPI_SUCCESS;
    }
    int error = mpi_request_status(q, status);
    int rc = error ? mpi_request_raise(q, error, call) : MPI_SUCCESS;
    int last = q ? end(p, s, s->index) : MPI_SUCCESS;
    if (last && !rc)
        rc = mpi_error(NULL, last, call, "the end of a request failed");
    return rc;
}

/* The statuses given so far. MPI_ERROR of them is set only if one has an error. */
struct results {
    MPI_Status *statuses;
    int n;
    int failed, error;     /* index and class of the first error; MPI_SUCCESS: none */
    struct mpi_comm *comm; /* of that one, held until it is raised; NULL: of none */
    const char *name;
};

/* Where the status of the next one goes. */
static inline MPI_Status *next(struct results *r)
{
    int i = r->n++;
    return r->statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &r->statuses[i];
}

/* The status of request i, which ends then. */
static void give(struct mpi_process *p, struct mpi_set *set, struct results *r, int i)
{
    struct mpi_request *q = at(set, i);
    MPI_Status ignored = {0};
    MPI_Status *s = r->statuses == MPI_STATUSES_IGNORE ? &ignored : &r->statuses[r->n];
    int before = s->MPI_ERROR;
    struct mpi_comm *comm = q ? q->comm : NULL;
    const char *name = q ? q->kind->name : NULL;
    int error = mpi_request_status(q, s);
    if (error && !r->error && comm)
        mpi_comm_hold(comm);
    int last = end(p, set, i);
    if (!error)
        error = last;
    if (error && !r->error) {
        r->failed = i;
        r->error = error;
        r->comm = comm;
        r->name = name;
        for (int k = 0; k < r->n && r->statuses != MPI_STATUSES_IGNORE; k++)
            r->statuses[k].MPI_ERROR = MPI_SUCCESS;
    }
    s->MPI_ERROR = r->error ? error : before;
    r->n++;
}

static int raise(struct mpi_process *p, const struct results *r, const char *call)
{
    if (!r->error)
        return MPI_SUCCESS;
    const char *text = mpi_class_text(r->error);
    int rc = mpi_error(r->comm, MPI_ERR_IN_STATUS, call, "request %d, a %s: %s", r->failed, r->name,
                       text ? text : "an error of its own");
    if (r->comm)
        mpi_comm_release(p, r->comm);
    return rc;
}

int mpi_set_end_all(struct mpi_process *p, const char *call, struct mpi_set *s,
                    MPI_Status *statuses)
{
    struct results r = {.statuses = statuses};
    for (int i = 0; i < s->n; i++)
        if (!r.error && is_over(at(s, i)))
            give_good(p, s, i, next(&r));
        else
            give(p, s, &r, i);
    return raise(p, &r, call);
}

int mpi_set_end_some(struct mpi_process *p, const char *call, struct mpi_set *s, int *count,
                     int *indices, MPI_Status *statuses)
{
    struct results r = {.statuses = statuses};
    bool active = false;
    for (int i = 0; i < s->n; i++) {
        struct mpi_request *q = at(s, i);
        if (!mpi_request_active(q))
            continue;
        active = true;
        if (mpi_request_pending(q))
            continue;
        indices[r.n] = i;
        if (!r.error && is_over(q))
            give_good(p, s, i, next(&r));
        else
            give(p, s, &r, i);
    }
    *count = active ? r.n : MPI_UNDEFINED;
    return raise(p, &r, call);
}
