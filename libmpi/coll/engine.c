/* SPDX-License-Identifier: MIT */
/* The life of a collective operation: check, begin, rounds, end. */
#include <stddef.h>

#include <base/assert.h>
#include <base/error.h>
#include <base/fmt.h>
#include <base/mem.h>

#include "coll/agree.h"
#include "coll/engine.h"
#include "coll/forms.h"
#include "coll/round.h"
#include "coll/segment.h"
#include "coll/vectors.h"
#include "comm/comm.h"

static const struct mpi_coll_algorithm *const *algorithms(const struct mpi_coll *c)
{
    return c->comm->inter ? c->kind->inter : c->kind->intra;
}

static const struct mpi_coll_algorithm *first_of(const struct mpi_coll *c,
                                                 const struct mpi_coll_algorithm *const *a)
{
    while (!*a || ((*a)->applies && !(*a)->applies(c)))
        a++;
    return *a;
}

static const struct mpi_coll_algorithm *choose(const struct mpi_coll *c)
{
    const struct mpi_coll_algorithm *const *a = algorithms(c);
    int number = c->comm->inter ? 0 : c->p->algorithm[c->kind->id];
    const struct mpi_coll_algorithm *chosen = number ? mpi_coll_at(a, number - 1) : NULL;
    return chosen && (!chosen->applies || chosen->applies(c)) ? chosen : first_of(c, a);
}

static int check_comm(struct mpi_coll *c)
{
    if (c->comm->inter && !c->kind->inter)
        return mpi_error(c->comm, MPI_ERR_COMM, c->call, "an intracommunicator is needed here");
    if (c->kind->neighbours && !c->comm->topo)
        return mpi_error(c->comm, MPI_ERR_TOPOLOGY, c->call, "the communicator has no topology");
    return MPI_SUCCESS;
}

/* Of processes with a rank each that all read what all gave: more is faster by long ways. */
#define EACH_LIMIT 2048

/* What algorithms are chosen by beside the arguments. Ranks that are processes of their own meet in
 * shared memory where they share processors: a message would wake each of them for each step of a
 * tree, and each wake takes a processor from another one. Where each has a processor they do if
 * they are few, as all then read what all gave at once. */
static int measure(struct mpi_coll *c)
{
    struct mpi_comm *comm = c->comm;
    if (comm->clusters)
        return MPI_SUCCESS;
    mpi_coll_prepare(c->p);
    int clusters = mpu_comm_clusters(c->p->rank, &comm->coll, &comm->fullest);
    if (clusters < 0)
        return mpi_error_below(comm, clusters, c->call);
    uint64_t limit = mpi_coll_limit(c, MPU_TUNE_SEGMENT_LIMIT);
    bool each = clusters == c->size && mpu_leaders_each(c->p->rank, c->size);
    comm->clusters = clusters;
    comm->shared = mpu_leaders_may_meet(c->p->rank, clusters);
    comm->short_most = (uint32_t)(each && limit > EACH_LIMIT ? EACH_LIMIT : limit);
    return MPI_SUCCESS;
}

void mpi_coll_blank(struct mpi_coll *c, struct mpi_process *p, struct mpi_comm *comm,
                    const char *call, const struct mpi_coll_kind *kind, bool blocking)
{
    memset(c, 0, offsetof(struct mpi_coll, segment)); /* the rest is set when it is used */
    c->p = p;
    c->comm = comm;
    c->call = call;
    c->kind = kind;
    c->blocking = blocking;
    c->messages.room = MPI_COLL_INLINE;
    c->messages.slots = c->first;
    c->rank = comm->group.rank;
    c->size = comm->group.size;
    c->remote = comm->coll.size;
    c->tag = (int)mpi_coll_number(comm, blocking) * MPU_OPERATION_TAGS;
    if (comm->collectives[!blocking] % MPI_COLL_ERA == 0 && mpi_late_renumber)
        mpi_late_renumber(p, comm, !blocking);
    comm->collectives[!blocking]++; /* all ranks make them, not start them, in the same order */
    comm->unfinished[!blocking]++;  /* until mpi_coll_end */
}

int mpi_coll_make(struct mpi_coll *c, const struct mpi_coll_kind *kind,
                  const struct mpi_coll_args *a, bool blocking)
{
    struct mpi_process *p = mpi_running(a->call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *comm = mpi_comm(p, a->comm);
    if (!comm)
        return mpi_check_comm(p, a->call, a->comm, &comm);
    mpi_coll_blank(c, p, comm, a->call, kind, blocking);
    mpi_comm_retain(comm);
    int rc;
    if ((rc = check_comm(c)) || (rc = kind->check ? kind->check(c, a) : mpi_coll_check(c, a)) ||
        (rc = measure(c))) {
        mpi_coll_absent(c);
        mpi_coll_end(c);
        return rc;
    }
    c->algorithm = choose(c);
    if (p->checker)
        p->checker->hooks->made(c);
    return MPI_SUCCESS;
}

static void first_chunk(struct mpi_coll *c)
{
    c->chunk.at = 0;
    c->chunk.n = INT64_MAX;
    if (c->algorithm->chunk)
        c->chunk.n = c->algorithm->chunk(c);
    else if (c->algorithm->length && mpi_coll_operand(c)->type)
        c->chunk.n = mpi_coll_chunk_of(c);
}

/* The rounds begin again for what is left. */
static bool next_chunk(struct mpi_coll *c)
{
    MPI_Count length = c->algorithm->length ? c->algorithm->length(c) : 0;
    if (length - c->chunk.at <= c->chunk.n)
        return false;
    b_assert(c->chunk.n > 0);
    c->chunk.at += c->chunk.n;
    c->step.round = c->step.phase = 0;
    c->stopped = false;
    return true;
}

static bool meets(struct mpi_coll *c)
{
    return !c->algorithm->meet || c->algorithm->meet(c);
}

bool mpi_coll_otherwise(struct mpi_coll *c)
{
    const struct mpi_coll_algorithm *const *a = algorithms(c);
    while (*a != c->algorithm)
        a++;
    c->algorithm = first_of(c, a + 1);
    c->step.round = 0;
    c->busy = false;
    first_chunk(c);
    return meets(c);
}

/* Where blocks differ by rank, so may their types. */
static uint16_t element_of(const struct mpi_coll *c)
{
    const struct mpi_side *s = mpi_coll_operand(c);
    return s->type && !s->counts.at && !s->types ? s->type->mark : 0;
}

void mpi_coll_begin(struct mpi_coll *c)
{
    b_assert(!c->running && c->messages.n == 0);
    bool broken = c->broken; /* a persistent one, the last time: it will not be better */
    first_chunk(c);
    c->step.round = c->step.phase = 0;
    c->error = MPI_SUCCESS;
    c->agreement.verdict = MPI_COLL_AGREED;
    c->messages.element = element_of(c);
    c->agreement.alarms = 0;
    mpi_checker_begin(c->p->checker, &c->agreement.check);
    c->running = true;
    c->stopped = c->broken = false;
    c->agreement.unmatched = 0;
    if (broken) {
        mpi_coll_fail(c, MPI_ERR_OTHER);
        mpi_coll_break(c, MPI_COLL_AGREED, c->rank);
    }
    mpi_coll_look(c);
    if (c->rank == 0)
        mpu_count(c->p->rank, c->algorithm->counter);
}

/* A message of another operation ends this one; else the error is this rank's only. */
static void settle_error(struct mpi_coll *c, struct mpi_coll_slot *s)
{
    bool came = s->receives && s->q.error != -B_ECANCELED, differs = mpi_coll_slot_differs(s);
    mpi_coll_fail(c, s->q.error == -B_EMSGSIZE              ? MPI_ERR_TRUNCATE
                     : came && s->q.count != s->bytes       ? MPI_ERR_COUNT
                     : s->q.error == -B_EBADMSG && !differs ? MPI_ERR_TYPE
                                                            : MPI_ERR_OTHER);
    if (differs)
        mpi_coll_break(c, MPI_COLL_DIFFERS, s->q.source);
}

/* The messages of the round are complete: they are brought where they belong. */
static void settle(struct mpi_coll *c)
{
    for (int i = 0; i < c->messages.n; i++) {
        struct mpi_coll_slot *s = &c->messages.slots[i];
        if (s->q.error || s->q.cancelled || (s->receives && s->q.count != s->bytes))
            settle_error(c, s);
        else if (s->receives && s->packed && !s->streamed)
            mpi_coll_unpack(s->packed, &s->data);
        mpi_free(c->p, s->packed);
        s->packed = NULL;
    }
    c->messages.n = 0;
    c->messages.memory = 0;
    c->agreement.check.asked = 0;
}

static bool complete(struct mpi_coll *c)
{
    for (int i = 0; i < c->messages.n; i++)
        if (!mpu_done(&c->messages.slots[i].q))
            return false;
    return true;
}

static void temps_free(struct mpi_coll *c)
{
    while (c->messages.temps)
        mpi_free(c->p, c->temp[--c->messages.temps]);
}

bool mpi_coll_advance(struct mpi_coll *c)
{
    while (c->running) {
        if (c->inside)
            return false;
        mpi_coll_check_alarms(c);
        if (!complete(c)) {
            mpi_coll_look(c);
            if (!c->broken || !complete(c))
                return false;
        }
        settle(c);
        if (c->stopped) {
            temps_free(c);
            c->running = !c->broken && next_chunk(c);
            continue;
        }
        b_assert(c->messages.n == 0);
        c->inside = true;
        int step = c->algorithm->round(c, c->step.round++);
        c->inside = false;
        b_assert(step <= MPI_COLL_WAITS && c->messages.n <= c->messages.room);
        if (step == MPI_COLL_WAITS)
            return false;
        c->stopped = step != MPI_COLL_MORE;
        if (step < 0) {
            mpi_coll_fail(c, step == -B_ENOMEM ? MPI_ERR_NO_MEM : MPI_ERR_OTHER);
            mpi_coll_break(c, MPI_COLL_OWN, c->rank);
        }
    }
    mpi_coll_judge(c);
    return true;
}

/* What lies in one run is of a predefined type. */
static inline void side_end(struct mpi_coll *c, struct mpi_side *s)
{
    if (s->run)
        return;
    if (s->types) {
        for (int i = 0; i < s->blocks; i++)
            mpi_type_release(c->p, s->types[i]);
        mpi_free(c->p, s->types);
    }
    if (s->type)
        mpi_type_release(c->p, s->type);
}

void mpi_coll_end(struct mpi_coll *c)
{
    b_assert(c->comm->unfinished[!c->blocking] > 0);
    c->comm->unfinished[!c->blocking]--;
    temps_free(c);
    side_end(c, &c->send);
    side_end(c, &c->recv);
    if (c->op)
        mpi_op_release(c->p, c->op);
    if (c->neighbours)
        mpi_free(c->p, c->neighbours);
    if (c->kept)
        mpi_free(c->p, c->kept);
    if (c->messages.slots != c->first)
        mpi_free(c->p, c->messages.slots);
    mpi_comm_release(c->p, c->comm);
}

/* Where nothing more is known than the class. */
static const char *reason(int class)
{
    if (class == MPI_ERR_NO_MEM)
        return "no memory for it";
    if (class == MPI_ERR_TYPE)
        return "a rank gave other elements than this one expects";
    if (class == MPI_ERR_OTHER)
        return "ranks called different operations or gave another root, or a message failed";
    return "a rank gave another amount of data than this one expects";
}

void mpi_coll_explain(struct mpi_coll *c, char *text, size_t size)
{
    char why[200];
    bool known = c->agreement.verdict != MPI_COLL_AGREED && mpi_coll_why;
    if (known)
        mpi_coll_why(c, why, sizeof why);
    b_fmt(text, size, "%s: %s", c->algorithm->name, known ? why : reason(c->error));
}

static __attribute__((cold, noinline)) int raise(struct mpi_coll *c)
{
    char text[240];
    mpi_coll_explain(c, text, sizeof text);
    return mpi_error(c->comm, c->error, c->call, "%s", text);
}

int mpi_coll_result(struct mpi_coll *c)
{
    return c->error ? raise(c) : MPI_SUCCESS;
}

static bool done(void *arg)
{
    return mpi_coll_advance(arg);
}

void mpi_coll_rounds(struct mpi_coll *c)
{
    mpu_until(c->p->rank, done, c);
}

int mpi_coll_run(const struct mpi_coll_kind *kind, const struct mpi_coll_args *a)
{
    struct mpi_coll c;
    int rc = mpi_coll_make(&c, kind, a, true);
    if (rc)
        return rc;
    struct mpu_span span;
    mpu_span_begin(c.p->rank, &span, c.algorithm->name);
    mpu_does(c.p->rank, a->call, &c.comm->coll, MPU_ALL, MPU_ANY, c.bytes);
    mpi_coll_begin(&c);
    if (meets(&c))
        mpi_coll_rounds(&c);
    else if (c.running) /* there were no rounds */
        mpi_coll_judge(&c);
    mpi_coll_leave(&c);
    mpu_did(c.p->rank);
    mpu_span_end(c.p->rank, &span, true);
    rc = mpi_coll_result(&c);
    mpi_coll_end(&c);
    return rc;
}
