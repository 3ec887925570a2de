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

struct mpi_comm *mpi_at_once_of(struct mpi_process *p, MPI_Comm handle, enum mpi_choice choice)
{
    if (!p || (p->phase != MPI_INITIALIZED && !p->sessions) || p->algorithm[choice])
        return NULL;
    struct mpi_comm *c =
        handle == MPI_COMM_WORLD && p->phase == MPI_INITIALIZED ? &p->world : mpi_comm(p, handle);
    return c && c->at_once ? c : NULL;
}

/* Of who closes the meeting. v: what is to be reduced, or NULL. */
static __attribute__((noinline)) enum mpu_met close(struct mpi_process *p, struct mpu_hall *h,
                                                    const struct mpi_reduced *v)
{
    struct mpu_told told;
    bool alike = mpu_hall_alike(h, p->rank, &told);
    if (alike && v)
        mpi_hall_combine(h, v);
    mpu_hall_release(h, p->rank, &told);
    mpu_doing(p->rank, &(struct mpu_doing){0});
    return alike ? MPU_MET : MPU_MET_DIFFER;
}

/* One that the short way does not end well, as the long way would have made it. */
struct doubted {
    struct mpi_process *p;
    struct mpi_comm *comm;
    const struct operation *o;
    const char *call;
    const struct mpu_said *said;
    const struct mpi_reduced *reduced;
    uint32_t number, patience;
    int asked;
};

static void remake(struct doubted *d, struct mpi_coll *c)
{
    memset(c, 0, sizeof *c);
    c->p = d->p;
    c->comm = d->comm;
    c->call = d->call;
    c->kind = d->o->kind;
    c->algorithm = d->o->algorithm;
    c->rank = d->comm->group.rank;
    c->size = d->comm->group.size;
    c->blocking = true;
    c->bytes = d->said->bytes;
    c->root = (int)(uint32_t)d->said->terms;
    c->op = d->reduced ? d->reduced->op : NULL;
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
    int class = mpi_hall_differs(d->said, told);
    return told->number == d->number ? mpi_coll_raise(d->comm, class, d->call, d->o->algorithm)
                                     : ends_without(d, class);
}

/* What is not straight, from where the rank has come. */
static __attribute__((noinline)) int go_on(enum mpu_met met, struct doubted *d, struct mpu_visit *v)
{
    struct mpi_process *p = d->p;
    struct mpu_hall *h = d->comm->hall;
    v->doubts = doubts;
    v->arg = d;
    v->counted = met == MPU_MET_COUNTED;
    v->left = false;
    if (mpu_hall_leads(h, p->rank))
        mpu_count(d->o->algorithm->counter, 1);
    if (met == MPU_MET_NOT || v->counted)
        met = mpu_hall_meet(h, p->rank, d->said, v, d->call, d->comm->coll.name);
    if (met == MPU_MET_LAST)
        met = close(p, h, d->reduced);
    return met == MPU_MET ? MPI_SUCCESS : ends_badly(d, v);
}

/* An error class, raised. */
static inline __attribute__((always_inline)) int
meet(struct mpi_process *p, struct mpi_comm *c, const struct operation *o, const char *call,
     const struct mpu_said *said, const struct mpi_reduced *reduced, struct mpu_visit *v)
{
    v->number = mpi_coll_number(c, true);
    c->collectives[0]++;
    enum mpu_met met = mpu_hall_pass(c->at_once, p->rank, said, v, call, c->coll.name);
    if (met == MPU_MET)
        return MPI_SUCCESS;
    return go_on(met, &(struct doubted){p, c, o, call, said, reduced, v->number, p->impatience, 0},
                 v);
}

/* The result; NULL: none, *rc is an error class, raised. */
static __attribute__((noinline)) const uint8_t *
meet_with_data(struct mpi_process *p, struct mpi_comm *c, const struct operation *o,
               const char *call, const struct mpu_said *said, const struct mpi_reduced *reduced,
               int *rc)
{
    struct mpu_visit v;
    *rc = meet(p, c, o, call, said, reduced, &v);
    return *rc == MPI_SUCCESS ? mpu_hall_result(c->hall, &v) : NULL;
}

int mpi_barrier_at_once(struct mpi_process *p, struct mpi_comm *c)
{
    static const struct operation o = {&mpi_coll_barrier_hall, &mpi_coll_barrier};
    static const struct mpu_said said = {.kind = &mpi_coll_barrier};
    struct mpu_visit v;
    return meet(p, c, &o, "MPI_Barrier", &said, NULL, &v);
}

/* Some elements of a predefined type, at most so many bytes. */
static inline bool few(struct mpi_reduced *v, const struct mpi_small *a, uint64_t most)
{
    v->type = mpi_type_of(a->type);
    if (!v->type || !v->type->handle || v->type->kind != MPI_KIND_BASIC)
        return false;
    v->count = a->count;
    v->bytes = (uint64_t)a->count * (uint64_t)v->type->size;
    return a->count > 0 && (uint64_t)a->count <= most && v->bytes <= most;
}

static inline bool address(const void *buf)
{
    return (uintptr_t)buf > (uintptr_t)MPI_BUFFER_AUTOMATIC;
}

static inline bool overlap(const void *a, const void *b, uint64_t n)
{
    return (uint64_t)((uintptr_t)a - (uintptr_t)b) + n - 1 < 2 * n - 1;
}

static inline bool member(const struct mpi_comm *c, int root)
{
    return (unsigned int)root < (unsigned int)c->group.size;
}

bool mpi_bcast_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a,
                       int *rc)
{
    static const struct operation o = {&mpi_coll_bcast_hall, &mpi_coll_bcast};
    struct mpi_reduced v;
    if (!few(&v, a, c->at_once->limit) || !address(a->out) || !member(c, a->root))
        return false;
    bool gives = c->group.rank == a->root;
    struct mpu_hall_result *next = mpu_hall_next(c->at_once);
    if (gives) {
        next->mark = v.type->mark;
        memcpy(next->bytes, a->out, v.bytes);
    }
    struct mpu_said said = {o.kind, v.bytes, mpi_hall_terms(a->root, NULL, NULL)};
    const uint8_t *result = meet_with_data(p, c, &o, a->call, &said, NULL, rc);
    if (result && !gives) {
        memcpy(a->out, result, v.bytes);
        if (mpu_marks_differ_in(next->mark, v.type->mark, MPU_MARK_ELEMENT))
            *rc = mpi_coll_raise(c, MPI_ERR_TYPE, a->call, o.algorithm);
    }
    return true;
}

/* out: NULL: the rank gets no result. */
static inline bool reduce(struct mpi_process *p, struct mpi_comm *c, const struct operation *o,
                          const struct mpi_small *a, void *out, int *rc)
{
    struct mpi_reduced v;
    bool in_place = a->in == MPI_IN_PLACE && out;
    const void *in = in_place ? out : a->in;
    if (!few(&v, a, MPU_HALL_OPERAND) || v.bytes > c->at_once->limit || !address(in) ||
        (out && !address(out)) || (!in_place && overlap(in, out, v.bytes)))
        return false;
    v.op = mpi_op_predefined(a->op, v.type);
    if (!v.op)
        return false;
    memcpy(mpu_hall_operand(c->at_once, p->rank, v.bytes), in, v.bytes);
    struct mpu_said said = {o->kind, v.bytes, mpi_hall_terms(a->root, v.op, v.type)};
    const uint8_t *result = meet_with_data(p, c, o, a->call, &said, &v, rc);
    if (result && out)
        memcpy(out, result, v.bytes);
    return true;
}

bool mpi_reduce_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a,
                        int *rc)
{
    static const struct operation o = {&mpi_coll_reduce_hall, &mpi_coll_reduce};
    bool root = c->group.rank == a->root;
    return member(c, a->root) && (!root || a->out) && reduce(p, c, &o, a, root ? a->out : NULL, rc);
}

bool mpi_allreduce_at_once(struct mpi_process *p, struct mpi_comm *c, const struct mpi_small *a,
                           int *rc)
{
    static const struct operation o = {&mpi_coll_allreduce_hall, &mpi_coll_allreduce};
    return a->out && reduce(p, c, &o, a, a->out, rc);
}
