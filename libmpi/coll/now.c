/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "coll/agree.h"
#include "coll/engine.h"
#include "coll/forms.h"
#include "coll/hall.h"
#include "coll/now.h"

/* What each operation is. */
struct operation {
    const struct mpi_coll_algorithm *algorithm;
    const struct mpi_coll_kind *kind;
};

/* A call of one. */
struct given {
    const struct operation *o;
    const char *call;
    struct mpu_said said;
    struct mpi_reduced reduced; /* op: NULL: nothing is */
    const struct mpu_words *words;
};

struct mpi_comm *mpi_at_once_of(struct mpi_process *p, MPI_Comm handle, enum mpi_choice choice)
{
    if (!p || (p->phase != MPI_INITIALIZED && !p->sessions) || p->algorithm[choice])
        return NULL;
    struct mpi_comm *c =
        handle == MPI_COMM_WORLD && p->phase == MPI_INITIALIZED ? &p->world : mpi_comm(p, handle);
    if (!c || !c->at_once)
        return NULL;
    p->recent = (struct mpi_recent){handle, c};
    return c;
}

/* Of who closes the meeting. */
static __attribute__((noinline)) enum mpu_met close(struct mpi_process *p, struct mpu_hall *h,
                                                    const struct mpi_reduced *v)
{
    struct mpu_told told;
    bool alike = mpu_hall_alike(h, p->rank, &told);
    if (alike && v->op)
        mpi_hall_combine(h, v);
    mpu_hall_release(h, p->rank, &told);
    mpu_doing(p->rank, &(struct mpu_doing){0});
    return alike ? MPU_MET : MPU_MET_DIFFER;
}

/* One that the short way does not end well, as the long way would have made it. */
struct doubted {
    struct mpi_process *p;
    struct mpi_comm *comm;
    const struct given *given;
    uint32_t number, patience;
    int asked;
};

static void remake(struct doubted *d, struct mpi_coll *c)
{
    const struct given *g = d->given;
    mpi_coll_blank(c, d->p, g->call, g->o->kind, true);
    mpi_coll_place(c, d->comm);
    c->algorithm = g->o->algorithm;
    c->bytes = g->said.bytes;
    c->root = (int)(uint32_t)g->said.terms;
    c->op = g->reduced.op;
    c->tag = (int)(d->number * MPI_COLL_SUBS);
    c->patience = d->patience;
    c->asked = d->asked;
    mpi_coll_heed(c);
    mpi_coll_look(c);
    d->patience = c->patience;
    d->asked = c->asked;
}

static bool doubts(void *arg)
{
    struct mpi_coll c;
    remake(arg, &c);
    return c.broken;
}

static __attribute__((noinline)) int ends_without(struct doubted *d, int class)
{
    struct mpi_coll c;
    remake(d, &c);
    mpi_coll_fail(&c, class);
    mpi_coll_break(&c, MPI_COLL_AGREED, c.rank);
    mpi_coll_leave(&c);
    return mpi_coll_result(&c);
}

/* The ranks did not say the same, or this one has left. */
static __attribute__((noinline)) int ends_badly(struct doubted *d, const struct mpu_visit *v)
{
    if (v->left)
        return ends_without(d, MPI_ERR_OTHER);
    const struct mpu_told *told = mpu_hall_told(d->comm->hall, v);
    const struct given *g = d->given;
    int class = mpi_hall_differs(&g->said, told);
    return told->number == d->number ? mpi_coll_raise(d->comm, class, g->call, g->o->algorithm)
                                     : ends_without(d, class);
}

static inline void take_number(struct mpi_comm *c, struct mpu_visit *v)
{
    v->number = mpi_coll_number(c, true);
    c->collectives[0]++;
}

/* What is not straight, from where the rank has come. An error class, raised. This and what leads
 * to it is not inline, so that the straight way has but few lines of the stack. */
static __attribute__((noinline)) int go_on(enum mpu_met met, struct mpi_process *p,
                                           struct mpi_comm *c, const struct given *g,
                                           struct mpu_visit *v)
{
    struct mpu_hall *h = c->hall;
    if (met == MPU_MET_NOT)
        take_number(c, v);
    struct doubted d = {p, c, g, v->number, p->impatience, 0};
    v->words = g->words;
    v->doubts = doubts;
    v->arg = &d;
    v->counted = met == MPU_MET_COUNTED;
    v->left = false;
    if (mpu_hall_leads(h, p->rank))
        mpu_count(g->o->algorithm->counter, 1);
    if (met == MPU_MET_NOT || v->counted)
        met = mpu_hall_meet(h, p->rank, &g->said, v, g->call, c->coll.name);
    if (met == MPU_MET_LAST)
        met = close(p, h, &g->reduced);
    return met == MPU_MET ? MPI_SUCCESS : ends_badly(&d, v);
}

static inline enum mpu_met go_straight(struct mpi_process *p, struct mpi_comm *c,
                                       const struct mpu_said *said, struct mpu_visit *v)
{
    take_number(c, v);
    enum mpu_met met = mpu_hall_pass(c->at_once, p->rank, said, v);
    if (met == MPU_MET_NOT)
        c->collectives[0]--;
    return met;
}

int mpi_barrier_at_once(struct mpi_process *p, struct mpi_comm *c)
{
    static const struct operation o = {&mpi_coll_barrier_hall, &mpi_coll_barrier};
    static const struct given g = {
        &o, "MPI_Barrier", {.kind = &mpi_coll_barrier}, {.op = NULL}, NULL};
    struct mpu_visit v;
    enum mpu_met met = go_straight(p, c, &g.said, &v);
    return met == MPU_MET ? MPI_SUCCESS : go_on(met, p, c, &g, &v);
}

/* In words: handles of predefined objects are small numbers, the same on all ranks. */
static inline bool in_words(struct mpu_words *w, const struct operation *o,
                            const struct mpi_small *a)
{
    uint64_t type = (uintptr_t)a->type, op = (uintptr_t)a->op;
    *w = (struct mpu_words){o->kind, (uint64_t)a->count,
                            type | op << 16 | (uint64_t)(uint32_t)a->root << 32};
    return (type | op) <= UINT16_MAX;
}

/* What others said in the same words; NULL: nobody did. */
static inline const struct mpu_said *said_by_others(struct mpi_process *p, struct mpi_comm *c,
                                                    const struct operation *o,
                                                    const struct mpi_small *a)
{
    struct mpu_words w;
    return in_words(&w, o, a) ? mpu_hall_said(c->at_once, p->rank, &w) : NULL;
}

/* Some elements of a predefined type, at most so many bytes. */
static inline bool few(struct mpi_reduced *v, const struct mpi_small *a, uint64_t most)
{
    v->type = mpi_type_predefined(a->type);
    if (!v->type || v->type->kind != MPI_KIND_BASIC)
        return false;
    v->op = NULL;
    v->count = a->count;
    v->bytes = (uint64_t)a->count * (uint64_t)v->type->size;
    return a->count > 0 && (uint64_t)a->count <= most && v->bytes <= most;
}

static inline bool address(const void *buf)
{
    return (uintptr_t)buf > (uintptr_t)MPI_BUFFER_AUTOMATIC;
}

static inline bool member(const struct mpi_comm *c, int root)
{
    return (unsigned int)root < (unsigned int)c->group.size;
}

static __attribute__((noinline)) int bcast_on(enum mpu_met met, struct mpi_process *p,
                                              struct mpi_comm *c, const struct operation *o,
                                              const struct mpi_small *a, struct mpu_visit *v)
{
    struct mpu_words w;
    struct given g = {.o = o, .call = a->call, .words = &w};
    if (!in_words(&w, o, a) || !few(&g.reduced, a, c->at_once->limit) || !address(a->out) ||
        !member(c, a->root))
        return MPI_NOT_AT_ONCE;
    const struct mpi_reduced *data = &g.reduced;
    g.said = (struct mpu_said){o->kind, data->bytes, mpi_hall_terms(a->root, NULL, NULL)};
    bool gives = c->group.rank == a->root;
    if (gives) {
        struct mpu_hall_result *next = mpu_hall_next(c->at_once);
        next->mark = data->type->mark;
        memcpy(next->bytes, a->out, data->bytes);
    }
    int rc = go_on(met, p, c, &g, v);
    if (rc || gives)
        return rc;
    memcpy(a->out, mpu_hall_result(c->hall, v), data->bytes);
    if (mpu_marks_differ_in(mpu_hall_mark(c->hall, v), data->type->mark, MPU_MARK_ELEMENT))
        return mpi_coll_raise(c, MPI_ERR_TYPE, a->call, o->algorithm);
    return MPI_SUCCESS;
}

/* The root, which writes the result first, does not go straight. */
int mpi_bcast_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a)
{
    static const struct operation o = {&mpi_coll_bcast_hall, &mpi_coll_bcast};
    const struct mpu_said *said = said_by_others(p, c, &o, a);
    enum mpu_met met = MPU_MET_NOT;
    struct mpu_visit v;
    if (said && c->group.rank != a->root && address(a->out)) {
        uint64_t n = said->bytes;
        met = go_straight(p, c, said, &v);
        unsigned int mark = mpi_type_predefined(a->type)->mark;
        if (met == MPU_MET &&
            !mpu_marks_differ_in(mpu_hall_mark(c->hall, &v), mark, MPU_MARK_ELEMENT)) {
            memcpy(a->out, mpu_hall_result(c->hall, &v), n);
            return MPI_SUCCESS;
        }
    }
    return bcast_on(met, p, c, &o, a, &v);
}

/* Where the operands and the result of a rank lie. */
struct buffers {
    const void *in;
    void *out; /* NULL: the rank gets no result */
    bool in_place;
};

static inline struct buffers buffers_of(const struct mpi_comm *c, const struct operation *o,
                                        const struct mpi_small *a)
{
    bool gets = o->kind == &mpi_coll_allreduce || c->group.rank == a->root;
    bool in_place = a->in == MPI_IN_PLACE && gets;
    return (struct buffers){in_place ? a->out : a->in, gets ? a->out : NULL, in_place};
}

/* Of a root, too, which has a result. */
static inline bool in_order(const struct buffers *b, uint64_t n)
{
    return address(b->in) && (!b->out || address(b->out)) &&
           (b->in_place || !mpi_runs_overlap((uintptr_t)b->in, n, (uintptr_t)b->out, n));
}

static __attribute__((noinline)) int reduce_on(enum mpu_met met, struct mpi_process *p,
                                               struct mpi_comm *c, const struct operation *o,
                                               const struct mpi_small *a, struct mpu_visit *v)
{
    struct mpu_words w;
    struct given g = {.o = o, .call = a->call, .words = &w};
    struct mpi_reduced *r = &g.reduced;
    struct buffers b = buffers_of(c, o, a);
    uint64_t limit = c->at_once->limit;
    if (!in_words(&w, o, a) || !few(r, a, limit < MPU_HALL_OPERAND ? limit : MPU_HALL_OPERAND) ||
        !in_order(&b, r->bytes))
        return MPI_NOT_AT_ONCE;
    r->op = mpi_op_predefined(a->op, r->type);
    if (!r->op)
        return MPI_NOT_AT_ONCE;
    g.said = (struct mpu_said){o->kind, r->bytes, mpi_hall_terms(a->root, r->op, r->type)};
    if (met == MPU_MET_NOT)
        memcpy(mpu_hall_operand(c->at_once, p->rank, r->bytes), b.in, r->bytes);
    int rc = go_on(met, p, c, &g, v);
    if (rc == MPI_SUCCESS && b.out)
        memcpy(b.out, mpu_hall_result(c->hall, v), r->bytes);
    return rc;
}

static inline int reduce(struct mpi_process *p, struct mpi_comm *c, const struct operation *o,
                         const struct mpi_small *a)
{
    const struct mpu_said *said = said_by_others(p, c, o, a);
    struct buffers b = buffers_of(c, o, a);
    enum mpu_met met = MPU_MET_NOT;
    struct mpu_visit v;
    if (said && in_order(&b, said->bytes)) {
        uint64_t n = said->bytes;
        b_copy_short(mpu_hall_operand(c->at_once, p->rank, n), b.in, n);
        met = go_straight(p, c, said, &v);
        if (met == MPU_MET) {
            if (b.out)
                b_copy_short(b.out, mpu_hall_result(c->hall, &v), n);
            return MPI_SUCCESS;
        }
    }
    return reduce_on(met, p, c, o, a, &v);
}

int mpi_reduce_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a)
{
    static const struct operation o = {&mpi_coll_reduce_hall, &mpi_coll_reduce};
    bool root = c->group.rank == a->root;
    return member(c, a->root) && (!root || a->out) ? reduce(p, c, &o, a) : MPI_NOT_AT_ONCE;
}

int mpi_allreduce_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a)
{
    static const struct operation o = {&mpi_coll_allreduce_hall, &mpi_coll_allreduce};
    return a->out ? reduce(p, c, &o, a) : MPI_NOT_AT_ONCE;
}
