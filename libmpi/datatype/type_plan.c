/* SPDX-License-Identifier: MIT */
#include "datatype/type_plan.h"

#include <base/mem.h>

/* As many runs are a table, also where they are repeated: a loop over such a table is faster than
 * loops within loops. */
#define FEW 8

/* Elements of t that are runs, one behind the other, are one run. */
static struct mpi_plan_part joined(struct mpi_plan_part x)
{
    if (!x.below && (x.count == 1 || x.stride == (MPI_Aint)x.bytes)) {
        x.bytes *= (uint64_t)x.count;
        x.count = 1;
    }
    return x;
}

struct mpi_plan_part mpi_plan_elements(const struct mpi_type *t, MPI_Count count, MPI_Aint at)
{
    struct mpi_plan_part x = {.at = at, .count = count, .bytes = (uint64_t)t->size};
    if (t->kind == MPI_KIND_BASIC) {
        x.stride = t->size;
    } else {
        struct mpi_bounds b = mpi_type_bounds(t);
        x.stride = b.extent;
        if (t->flags & MPI_TYPE_RUN)
            x.at += b.true_lb;
        else
            x.below = t->plan;
    }
    return joined(x);
}

/* The runs of a part; a number that they do not fit into is the largest one. */
static uint64_t runs_of(const struct mpi_plan_part *x)
{
    uint64_t n;
    bool over = __builtin_mul_overflow(x->below ? x->below->pieces : 1, (uint64_t)x->count, &n);
    return over ? UINT64_MAX : n;
}

/* A table while it is made: without a place for it the runs are only counted. */
struct table {
    struct mpi_plan_run *run;
    uint64_t n;
    MPI_Aint next; /* where a run would go on */
    uint64_t bytes;
};

static void append(struct table *t, MPI_Aint at, uint64_t bytes)
{
    if (!t->n || at != t->next) {
        if (t->run)
            t->run[t->n] = (struct mpi_plan_run){at, t->bytes};
        t->n++;
    }
    t->next = at + (MPI_Aint)bytes;
    t->bytes += bytes;
}

static void append_part(struct table *t, const struct mpi_plan_part *x, MPI_Aint at);

static void append_plan(struct table *t, const struct mpi_plan *p, MPI_Aint at)
{
    for (MPI_Count i = 0; i < p->count; i++)
        if (p->kind == MPI_PLAN_RUNS)
            append(t, at + p->run[i].at,
                   (i + 1 < p->count ? p->run[i + 1].first : p->size) - p->run[i].first);
        else
            append_part(t, &p->part[i], at);
}

static void append_part(struct table *t, const struct mpi_plan_part *x, MPI_Aint at)
{
    at += x->at;
    for (MPI_Count i = 0; i < x->count; i++, at += x->stride)
        if (x->below)
            append_plan(t, x->below, at);
        else
            append(t, at, x->bytes);
}

/* The blocks of a type: block i of it as a part; count 0: nothing. */
typedef struct mpi_plan_part block_of(const struct mpi_type *t, MPI_Count i);

static void append_blocks(struct table *table, const struct mpi_type *t, MPI_Count n, block_of *of)
{
    for (MPI_Count i = 0; i < n; i++) {
        struct mpi_plan_part x = of(t, i);
        append_part(table, &x, 0);
    }
}

static struct mpi_plan *make(struct mpi_process *p, enum mpi_plan_kind kind, MPI_Count count,
                             size_t each)
{
    struct mpi_plan *plan = mpi_alloc(p, sizeof *plan + (size_t)count * each);
    if (!plan)
        return NULL;
    *plan = (struct mpi_plan){.kind = kind, .count = count};
    plan->run = (struct mpi_plan_run *)(plan + 1);
    return plan;
}

static struct mpi_plan *loop(struct mpi_process *p, const struct mpi_plan_part *x)
{
    struct mpi_plan *plan = make(p, MPI_PLAN_LOOP, 1, sizeof *x);
    if (!plan)
        return NULL;
    *(struct mpi_plan_part *)(plan + 1) = *x;
    plan->size = x->bytes * (uint64_t)x->count;
    plan->pieces = runs_of(x);
    return plan;
}

/* Bytes of each run, 0 if they differ; and their distance, 0 if that differs. */
static uint64_t same(const struct mpi_plan_run *run, MPI_Count n, uint64_t size, MPI_Aint *stride)
{
    uint64_t bytes = size / (uint64_t)n;
    *stride = n > 1 ? run[1].at - run[0].at : 0;
    for (MPI_Count i = 1; i < n; i++) {
        if (run[i].first != (uint64_t)i * bytes)
            bytes = 0;
        if (run[i].at - run[i - 1].at != *stride)
            *stride = 0;
    }
    return bytes * (uint64_t)n == size ? bytes : 0;
}

static struct mpi_plan *runs(struct mpi_process *p, const struct mpi_type *t, MPI_Count n,
                             block_of *of)
{
    struct table table = {NULL, 0, 0, 0};
    append_blocks(&table, t, n, of);
    MPI_Count count = (MPI_Count)table.n;
    struct mpi_plan *plan = make(p, MPI_PLAN_RUNS, count, sizeof *table.run);
    if (!plan)
        return NULL;
    struct mpi_plan_run *run = (struct mpi_plan_run *)(plan + 1);
    MPI_Aint stride;
    table = (struct table){run, 0, 0, 0};
    append_blocks(&table, t, n, of);
    plan->size = table.bytes;
    plan->pieces = table.n;
    plan->each = same(run, count, plan->size, &stride);
    if (count <= FEW || !plan->each || !stride)
        return plan;
    struct mpi_plan_part x = {run->at, stride, count, NULL, plan->each, 0};
    mpi_free(p, plan);
    return loop(p, &x);
}

static struct mpi_plan *list(struct mpi_process *p, const struct mpi_type *t, MPI_Count n,
                             block_of *of)
{
    struct mpi_plan *plan = make(p, MPI_PLAN_LIST, n, sizeof(struct mpi_plan_part));
    if (!plan)
        return NULL;
    struct mpi_plan_part *part = (struct mpi_plan_part *)(plan + 1);
    plan->count = 0;
    for (MPI_Count i = 0; i < n; i++) {
        struct mpi_plan_part x = of(t, i);
        uint64_t more = runs_of(&x);
        if (x.count == 0)
            continue;
        x.first = plan->size;
        plan->size += x.bytes * (uint64_t)x.count;
        plan->pieces = more > UINT64_MAX - plan->pieces ? UINT64_MAX : plan->pieces + more;
        part[plan->count++] = x;
    }
    return plan;
}

/* Blocks as a table, unless that would be longer than what the type lists. */
static struct mpi_plan *irregular(struct mpi_process *p, const struct mpi_type *t, MPI_Count n,
                                  block_of *of)
{
    uint64_t most = FEW + 2 * (uint64_t)n, sum = 0;
    for (MPI_Count i = 0; i < n && sum <= most; i++) {
        struct mpi_plan_part x = of(t, i);
        uint64_t more = runs_of(&x);
        sum = more > most ? most + 1 : sum + more;
    }
    return sum <= most ? runs(p, t, n, of) : list(p, t, n, of);
}

static struct mpi_plan_part block(const struct mpi_type *t, MPI_Count i)
{
    const struct mpi_blocks *b = t->blocks;
    const struct mpi_type *c = b->types ? b->types[i] : t->child;
    MPI_Count n = mpi_blocks_before(b, i + 1) - mpi_blocks_before(b, i);
    if (n == 0 || c->size == 0)
        return (struct mpi_plan_part){.count = 0};
    return mpi_plan_elements(c, n, b->displacement[i] * b->unit);
}

/* Block i of a vector. */
static struct mpi_plan_part turn(const struct mpi_type *t, MPI_Count i)
{
    return mpi_plan_elements(t->child, t->vector.blocklength, i * mpi_type_stride(t));
}

/* n of x, `stride` apart, as one part; count 0: that takes two. */
static struct mpi_plan_part repeated(struct mpi_plan_part x, MPI_Count n, MPI_Aint stride)
{
    const struct mpi_plan *below = x.count == 1 ? x.below : NULL;
    const struct mpi_plan_part *in = below && below->kind == MPI_PLAN_LOOP ? below->part : NULL;
    if (in && stride == in->count * in->stride)
        x = (struct mpi_plan_part){x.at + in->at, in->stride, in->count, in->below, in->bytes, 0};
    if (x.count == 1)
        x.stride = stride;
    else if (stride != x.count * x.stride)
        return (struct mpi_plan_part){.count = 0};
    x.count *= n;
    return joined(x);
}

/* A vector is a loop, unless it is a loop of loops, or a few runs. */
static struct mpi_plan *vector(struct mpi_process *p, const struct mpi_type *t)
{
    MPI_Count n = t->vector.count;
    MPI_Aint stride = mpi_type_stride(t);
    struct mpi_plan_part x = turn(t, 0), all = n == 1 ? x : repeated(x, n, stride);
    uint64_t few = runs_of(&x);
    if (few <= FEW && n <= FEW && few * (uint64_t)n <= FEW)
        return runs(p, t, n, turn);
    if (all.count)
        return loop(p, &all);
    struct mpi_plan *outer = make(p, MPI_PLAN_LOOP, 1, 2 * sizeof x + sizeof *outer);
    if (!outer)
        return NULL;
    struct mpi_plan_part *part = (struct mpi_plan_part *)(outer + 1);
    struct mpi_plan *inner = (struct mpi_plan *)(part + 1);
    struct mpi_plan_part *inside = (struct mpi_plan_part *)(inner + 1);
    *inside = x;
    *inner = (struct mpi_plan){.size = x.bytes * (uint64_t)x.count,
                               .pieces = runs_of(&x),
                               .kind = MPI_PLAN_LOOP,
                               .count = 1,
                               .part = inside};
    *part = (struct mpi_plan_part){0, stride, n, inner, inner->size, 0};
    outer->size = (uint64_t)t->size;
    outer->pieces = runs_of(part);
    return outer;
}

static int compile_below(struct mpi_process *p, const struct mpi_type *t)
{
    int rc = t->child ? mpi_type_compile(p, t->child) : MPI_SUCCESS;
    if (t->kind == MPI_KIND_STRUCT)
        for (MPI_Count i = 0; i < t->blocks->count && !rc; i++)
            rc = mpi_type_compile(p, t->blocks->types[i]);
    return rc;
}

/* The plan of resized types and aliases is that of what is below. */
static bool has_own(const struct mpi_type *t)
{
    return t->kind == MPI_KIND_VECTOR || t->kind == MPI_KIND_BLOCKS || t->kind == MPI_KIND_STRUCT;
}

int mpi_type_compile(struct mpi_process *p, const struct mpi_type *t)
{
    if (t->plan || t->size == 0 || t->flags & MPI_TYPE_RUN)
        return MPI_SUCCESS;
    int rc = compile_below(p, t);
    if (rc)
        return rc;
    const struct mpi_plan *plan = !has_own(t) ? t->child->plan
                                  : t->kind == MPI_KIND_VECTOR
                                      ? vector(p, t)
                                      : irregular(p, t, t->blocks->count, block);
    ((struct mpi_type *)t)->plan = plan;
    return plan ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

void mpi_plan_free(struct mpi_process *p, struct mpi_type *t)
{
    if (has_own(t))
        mpi_free(p, (struct mpi_plan *)(uintptr_t)t->plan);
}
