/* SPDX-License-Identifier: MIT */
#include "datatype/type_plan.h"

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

/* A table while it is made: without places for it the runs are only counted. */
struct table {
    MPI_Aint *at;
    uint64_t *first; /* NULL: all are as long */
    uint64_t each;   /* runs are cut into pieces of so many bytes; 0: they are not */
    uint64_t n, bytes;
    MPI_Aint next;   /* where the last run would go on */
    uint64_t length; /* of the last run, so far */
    uint64_t common; /* divides the lengths of those before; 0: there are none */
};

static uint64_t divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void begin_run(struct table *t, MPI_Aint at)
{
    t->common = divisor(t->common, t->length);
    t->length = 0;
    if (t->at)
        t->at[t->n] = at;
    if (t->first)
        t->first[t->n] = t->bytes;
    t->n++;
}

static void append(struct table *t, MPI_Aint at, uint64_t bytes)
{
    while (bytes) {
        if (!t->n || at != t->next || (t->each && t->length == t->each))
            begin_run(t, at);
        uint64_t room = t->each ? t->each - t->length : bytes, piece = bytes < room ? bytes : room;
        at += (MPI_Aint)piece;
        bytes -= piece;
        t->next = at;
        t->length += piece;
        t->bytes += piece;
    }
}

static void append_part(struct table *t, const struct mpi_plan_part *x, MPI_Aint at);

static void append_plan(struct table *t, const struct mpi_plan *p, MPI_Aint at)
{
    for (MPI_Count i = 0; i < p->count; i++)
        if (p->kind == MPI_PLAN_RUNS)
            append(t, at + p->at[i], mpi_plan_before(p, i + 1) - mpi_plan_before(p, i));
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
                             size_t bytes)
{
    struct mpi_plan *plan = mpi_alloc(p, sizeof *plan + bytes);
    if (!plan)
        return NULL;
    *plan = (struct mpi_plan){.kind = kind, .count = count};
    plan->part = (struct mpi_plan_part *)(plan + 1);
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

/* The length of all runs, or of pieces that they are better cut into: a loop over what is of one
 * length takes no wrong branch. 0: neither. */
static uint64_t equal_lengths(const struct table *t)
{
    uint64_t common = divisor(t->common, t->length);
    return t->bytes / common <= (t->n > MPI_PLAN_FEW ? 2 * t->n : t->n) ? common : 0;
}

/* How far n runs are apart, 0 if that differs. */
static MPI_Aint distance(const MPI_Aint *at, uint64_t n)
{
    MPI_Aint stride = n > 1 ? at[1] - at[0] : 0;
    for (uint64_t i = 2; i < n; i++)
        if (at[i] - at[i - 1] != stride)
            return 0;
    return stride;
}

static struct mpi_plan *runs(struct mpi_process *p, const struct mpi_type *t, MPI_Count n,
                             block_of *of)
{
    struct table table = {.at = NULL};
    append_blocks(&table, t, n, of);
    uint64_t each = equal_lengths(&table), count = each ? table.bytes / each : table.n;
    size_t numbers = each ? 0 : (size_t)count + 1; /* first, for they are longer than addresses */
    struct mpi_plan *plan = make(p, MPI_PLAN_RUNS, (MPI_Count)count,
                                 numbers * sizeof *table.first + (size_t)count * sizeof *table.at);
    if (!plan)
        return NULL;
    uint64_t *first = (uint64_t *)(plan + 1);
    MPI_Aint *at = (MPI_Aint *)(first + numbers);
    table = (struct table){.at = at, .first = each ? NULL : first, .each = each};
    append_blocks(&table, t, n, of);
    plan->size = table.bytes;
    plan->pieces = count;
    plan->each = each;
    plan->at = at;
    plan->first = first;
    if (!each)
        first[count] = table.bytes;
    MPI_Aint stride = distance(at, count);
    if (!each || !stride)
        return plan;
    struct mpi_plan_part x = {*at, stride, (MPI_Count)count, NULL, each, 0};
    mpi_free(p, plan);
    return loop(p, &x);
}

static struct mpi_plan *list(struct mpi_process *p, const struct mpi_type *t, MPI_Count n,
                             block_of *of)
{
    struct mpi_plan *plan = make(p, MPI_PLAN_LIST, n, (size_t)n * sizeof(struct mpi_plan_part));
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
    uint64_t most = MPI_PLAN_FEW + 2 * (uint64_t)n, sum = 0;
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
    if (all.count)
        return loop(p, &all);
    if (few <= MPI_PLAN_FEW && n <= MPI_PLAN_FEW && few * (uint64_t)n <= MPI_PLAN_FEW)
        return runs(p, t, n, turn);
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
