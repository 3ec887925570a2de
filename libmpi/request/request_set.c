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

/* It is complete, or nobody's, and nothing is to be told of its end but that. */
static inline bool is_over(struct mpi_request *q)
{
    const unsigned int beside = MPI_REQUEST_POOLED | MPI_REQUEST_COMPLETE;
    if (!q || (q->flags & MPI_REQUEST_SHARED))
        return true;
    return (q->flags & ~beside) == (MPI_REQUEST_ACTIVE | MPI_REQUEST_PLAIN) &&
           mpu_done(mpi_request_message(q)) && !mpi_request_message(q)->error;
}

/* Gives the status of such a one, request i, and ends it. */
static inline void give_good(struct mpi_process *p, struct mpi_set *set, int i, MPI_Status *status)
{
    struct mpi_request *q = at(set, i);
    if (status != MPI_STATUS_IGNORE && q && q->kind->status)
        q->kind->status(q, status);
    else if (status != MPI_STATUS_IGNORE)
        mpi_status_empty(status);
    if (!q || !set->handles)
        return;
    set->handles[i] = MPI_REQUEST_NULL;
    if (q->flags & MPI_REQUEST_POOLED)
        mpi_request_recycle(p, q);
}

/* Where the status of request i goes. */
static inline MPI_Status *status_of(const struct mpi_set *s, int i)
{
    return s->statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &s->statuses[i];
}

/* What the rank is said to do names a communicator that the program may have freed: it stays. */
static inline bool may_end(struct mpi_request *q)
{
    return is_over(q) && !(q && q->comm && q->comm->refs == 1);
}

/* Gives and ends the first ones as far as may be; then as mpi_set_all. */
static inline bool finish(struct mpi_set *s)
{
    while (s->ended == s->index && s->index < s->n && may_end(at(s, s->index))) {
        give_good(s->p, s, s->index, status_of(s, s->index));
        s->ended = ++s->index;
    }
    return mpi_set_all(s);
}

struct waiting {
    const char *call;
    struct mpi_set *set;
};

/* In the report of waiting ranks stands the first that is not complete; if another one would do as
 * well, not whose it is, nor its communicator, unless that is the other ones', too. */
static __attribute__((noinline)) struct mpu_doing doing(const struct waiting *w)
{
    const struct mpi_set *s = w->set;
    struct mpu_doing d = {.call = w->call, .peer = MPU_ALL, .tag = MPU_ANY};
    int i = mpi_set_open(s, s->index == MPI_UNDEFINED ? 0 : s->index);
    if (i < s->n) {
        const struct mpi_request *q = at(s, i);
        d.comm = q->comm ? &q->comm->p2p : NULL;
        if (q->kind->doing)
            q->kind->doing(q, &d);
    }
    if (s->all)
        return d;
    d.peer = d.tag = MPU_ANY;
    for (int k = mpi_set_open(s, i + 1); k < s->n && d.comm; k = mpi_set_open(s, k + 1))
        if (at(s, k)->comm != at(s, i)->comm)
            d.comm = NULL;
    return d;
}

static __attribute__((noinline)) void tell(const struct waiting *w)
{
    struct mpu_doing d = doing(w);
    mpu_doing(w->set->p->rank, &d);
}

/* Where all must be complete, another one may be the first that is not. */
static bool all_over(void *arg)
{
    const struct waiting *w = arg;
    int before = w->set->index;
    bool done = finish(w->set);
    if (!done && w->set->index != before)
        tell(w);
    return done;
}

static bool any_over(void *arg)
{
    return mpi_set_any(((const struct waiting *)arg)->set);
}

bool mpi_set_has(const struct mpi_set *s, const struct mpi_request *q)
{
    int i = 0;
    while (i < s->n && at(s, i) != q)
        i++;
    return i < s->n;
}

static inline void wait(struct waiting *w, bool (*done)(void *arg))
{
    struct mpi_process *p = w->set->p;
    tell(w);
    p->waits = w->set;
    mpu_until(p->rank, done, w);
    p->waits = NULL;
    mpu_did(p->rank);
}

void mpi_set_wait_all(struct mpi_process *p, const char *call, struct mpi_set *s)
{
    s->p = p;
    s->all = true;
    if (!finish(s))
        wait(&(struct waiting){call, s}, all_over);
}

void mpi_set_wait_any(struct mpi_process *p, const char *call, struct mpi_set *s)
{
    s->p = p;
    s->all = s->n == 1;
    if (!mpi_set_any(s))
        wait(&(struct waiting){call, s}, any_over);
}

bool mpi_set_try(struct mpi_process *p, const char *call, struct mpi_set *s, mpi_set_done *done)
{
    s->p = p;
    if (done(s) || (mpi_progress(p) && done(s))) {
        mpi_asks_no_more(p);
        return true;
    }
    s->all = done == mpi_set_all || s->n == 1;
    struct mpu_doing d = doing(&(struct waiting){call, s});
    mpi_asks(p, &d);
    return false;
}

static int end(struct mpi_process *p, struct mpi_set *s, int i)
{
    bool ends = s->handles && mpi_request_active(at(s, i));
    return ends ? mpi_request_end(p, &s->handles[i]) : MPI_SUCCESS;
}

int mpi_set_end_one(struct mpi_process *p, const char *call, struct mpi_set *s)
{
    struct mpi_request *q = s->index == MPI_UNDEFINED ? NULL : at(s, s->index);
    if (q && is_over(q)) {
        give_good(p, s, s->index, s->statuses);
        return MPI_SUCCESS;
    }
    int error = mpi_request_status(q, s->statuses);
    int rc = error ? mpi_request_raise(q, error, call) : MPI_SUCCESS;
    int last = q ? end(p, s, s->index) : MPI_SUCCESS;
    if (last && !rc)
        rc = mpi_error(NULL, last, call, "the end of a request failed");
    return rc;
}

/* The statuses given so far. MPI_ERROR of them is set only if one has an error. */
struct results {
    int n;
    int failed, error;     /* index and class of the first error; MPI_SUCCESS: none */
    struct mpi_comm *comm; /* of that one, retained until it is raised; NULL: of none */
    const char *why;       /* ... it failed */
    char *text;            /* MPI_WHY bytes for that */
};

/* The status of request i, of which something is to be told; it ends then. */
static void give_any(struct mpi_process *p, struct mpi_set *set, struct results *r, int i)
{
    struct mpi_request *q = at(set, i);
    MPI_Status ignored = {0};
    MPI_Status *s = status_of(set, r->n);
    s = s == MPI_STATUS_IGNORE ? &ignored : s;
    int before = s->MPI_ERROR;
    struct mpi_comm *comm = q ? q->comm : NULL;
    int error = mpi_request_status(q, s);
    if (error && !r->error) {
        q->kind->why(q, r->text, MPI_WHY);
        r->why = r->text;
        if (comm)
            mpi_comm_retain(comm);
    }
    int last = end(p, set, i);
    if (!error)
        error = last;
    if (error && !r->error) {
        r->failed = i;
        r->error = error;
        r->comm = comm;
        for (int k = 0; k < r->n && set->statuses != MPI_STATUSES_IGNORE; k++)
            set->statuses[k].MPI_ERROR = MPI_SUCCESS;
    }
    s->MPI_ERROR = r->error ? error : before;
}

static void give(struct mpi_process *p, struct mpi_set *set, struct results *r, int i)
{
    if (!r->error && is_over(at(set, i)))
        give_good(p, set, i, status_of(set, r->n));
    else
        give_any(p, set, r, i);
    r->n++;
}

static int raise(struct mpi_process *p, const struct results *r, const char *call)
{
    if (!r->error)
        return MPI_SUCCESS;
    int rc = mpi_error(r->comm, MPI_ERR_IN_STATUS, call, "request %d: %s", r->failed, r->why);
    if (r->comm)
        mpi_comm_release(p, r->comm);
    return rc;
}

int mpi_set_end_all(struct mpi_process *p, const char *call, struct mpi_set *s)
{
    char text[MPI_WHY];
    struct results r = {.n = s->ended, .why = "its end failed", .text = text};
    while (r.n < s->n)
        give(p, s, &r, r.n);
    return raise(p, &r, call);
}

int mpi_set_end_some(struct mpi_process *p, const char *call, struct mpi_set *s, int *count,
                     int *indices)
{
    char text[MPI_WHY];
    struct results r = {.n = 0, .why = "its end failed", .text = text};
    bool active = false;
    for (int i = 0; i < s->n; i++) {
        if (!mpi_request_active(at(s, i)))
            continue;
        active = true;
        if (mpi_request_pending(at(s, i)))
            continue;
        indices[r.n] = i;
        give(p, s, &r, i);
    }
    *count = active ? r.n : MPI_UNDEFINED;
    return raise(p, &r, call);
}
