/* SPDX-License-Identifier: MIT */
/* Reductions of vectors that fill much of a cluster's memory, by all its ranks: coll_long [bytes of
 * a rank's buffers]. With an operation that does not commute and one that does, on elements without
 * and with gaps, in place and not. */
#include <stdbool.h>

#include "check.h"

#define PRIME 10007

struct element {
    int a, b;
};

struct run {
    int me, size, n; /* elements of a vector */
    int gap;         /* ints between a and b, and behind b */
    bool in_place, composes;
    MPI_Datatype type;
    MPI_Op op;
    int *send, *recv;
};

/* First x, then y: x -> a x + b. */
static struct element compose(struct element x, struct element y)
{
    return (struct element){(int)((long long)x.a * y.a % PRIME),
                            (int)(((long long)x.b * y.a + y.b) % PRIME)};
}

static struct element add(struct element x, struct element y)
{
    return (struct element){x.a + y.a, x.b + y.b};
}

static struct element get(const int *at, int gap)
{
    return (struct element){at[0], at[1 + gap]};
}

static void put(int *at, int gap, struct element x)
{
    at[0] = x.a;
    at[1 + gap] = x.b;
}

static void each(const int *in, int *inout, int n, MPI_Datatype type,
                 struct element (*op)(struct element, struct element))
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(type, &lb, &extent);
    int ints = (int)(extent / (MPI_Aint)sizeof(int)), gap = ints / 2 - 1;
    for (int i = 0; i < n; i++, in += ints, inout += ints)
        put(inout, gap, op(get(in, gap), get(inout, gap)));
}

static void user_compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    each(in, inout, *n, *type, compose);
}

static void user_add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    each(in, inout, *n, *type, add);
}

static struct element given(int rank, int i)
{
    return (struct element){(rank * 37 + i * 11) % 101 + 1, (rank * 5 + i) % 103};
}

static int *at(const struct run *t, int *buf, int i)
{
    return buf + (size_t)i * 2 * (size_t)(1 + t->gap);
}

/* Elements `from` on of what ranks 0 .. last give, reduced, are the n at buf. */
static void check(const struct run *t, int *buf, int from, int n, int last)
{
    for (int i = 0; i < n; i++) {
        struct element x = given(0, from + i), got = get(at(t, buf, i), t->gap);
        for (int r = 1; r <= last; r++)
            x = t->composes ? compose(x, given(r, from + i)) : add(x, given(r, from + i));
        CHECK_EQ(got.a, x.a);
        CHECK_EQ(got.b, x.b);
    }
}

/* What is to be sent: the receive buffer is it, or is spoilt. */
static const void *ready(const struct run *t, bool in_place)
{
    for (int i = 0; i < t->n; i++) {
        if (!t->in_place)
            put(at(t, t->send, i), t->gap, given(t->me, i));
        put(at(t, t->recv, i), t->gap, in_place ? given(t->me, i) : (struct element){-1, -1});
    }
    return in_place ? MPI_IN_PLACE : t->send;
}

static void reduce(const struct run *t, int root)
{
    const void *from = ready(t, t->in_place);
    if (t->in_place && t->me != root)
        MPI_Reduce(t->recv, NULL, t->n, t->type, t->op, root, MPI_COMM_WORLD);
    else
        MPI_Reduce(from, t->recv, t->n, t->type, t->op, root, MPI_COMM_WORLD);
    if (t->me == root)
        check(t, t->recv, 0, t->n, t->size - 1);
}

static void scans(const struct run *t)
{
    const void *from = ready(t, t->in_place);
    MPI_Scan(from, t->recv, t->n, t->type, t->op, MPI_COMM_WORLD);
    check(t, t->recv, 0, t->n, t->me);
    from = ready(t, t->in_place);
    MPI_Exscan(from, t->recv, t->n, t->type, t->op, MPI_COMM_WORLD);
    if (t->me)
        check(t, t->recv, 0, t->n, t->me - 1);
}

static void scatters(const struct run *t)
{
    int counts[64], left = t->n, first = 0, part = t->n / t->size;
    for (int i = 0; i < t->size; i++) {
        counts[i] = i == t->size - 1 ? left : i % 2 ? left / 2 : 0;
        first += i < t->me ? counts[i] : 0;
        left -= counts[i];
    }
    const void *from = ready(t, t->in_place);
    MPI_Reduce_scatter(from, t->recv, counts, t->type, t->op, MPI_COMM_WORLD);
    check(t, t->recv, first, counts[t->me], t->size - 1);
    from = ready(t, t->in_place);
    MPI_Reduce_scatter_block(from, t->recv, part, t->type, t->op, MPI_COMM_WORLD);
    check(t, t->recv, t->me * part, part, t->size - 1);
}

static void all(struct run *t, int bytes)
{
    int extent = 2 * (1 + t->gap) * (int)sizeof(int);
    t->n = bytes / (t->in_place ? 1 : 2) / extent;
    t->recv = malloc((size_t)t->n * (size_t)extent);
    t->send = t->in_place ? NULL : malloc((size_t)t->n * (size_t)extent);
    reduce(t, 0);
    reduce(t, t->size - 1);
    const void *from = ready(t, t->in_place);
    MPI_Request q;
    MPI_Iallreduce(from, t->recv, t->n, t->type, t->op, MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    check(t, t->recv, 0, t->n, t->size - 1);
    scans(t);
    scatters(t);
    free(t->recv);
    free(t->send);
}

/* Parts that do not all fit beside the vectors: predefined operations may be done otherwise. */
static void sums_in_place(const struct run *t)
{
    int part = 50000, n = part * t->size, *v = malloc((size_t)n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = t->me + i;
    MPI_Reduce_scatter_block(MPI_IN_PLACE, v, part, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < part; i += 999)
        CHECK_EQ(v[i], t->size * (t->size - 1) / 2 + t->size * (t->me * part + i));
    free(v);
}

/* Blocks of all lengths, some of none, that begin and end anywhere. */
static void uneven_sums(int size, int me, bool in_place)
{
    int counts[64] = {0}, n = 0, first = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = i % 3 == 1 ? 0 : 3001 * (i % 5 + 1) + i;
        first += i < me ? counts[i] : 0;
        n += counts[i];
    }
    int *in = malloc((size_t)n * sizeof *in), *out = malloc((size_t)(counts[me] + 1) * sizeof *out);
    for (int i = 0; i < n; i++)
        in[i] = me + i;
    if (in_place)
        MPI_Reduce_scatter(MPI_IN_PLACE, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else
        MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < counts[me]; i++)
        CHECK_EQ((in_place ? in : out)[i], size * (size - 1) / 2 + size * (first + i));
    free(in);
    free(out);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int bytes = argc > 1 ? atoi(argv[1]) : 40000;
    struct run t = {.me = world_rank(), .size = world_size()};
    MPI_Op ops[2];
    MPI_Op_create(user_compose, 0, &ops[0]);
    MPI_Op_create(user_add, 1, &ops[1]);
    for (int k = 0; k < 4; k++) {
        t.composes = k % 2 == 0;
        t.op = ops[k % 2];
        t.gap = k / 2;
        t.in_place = k == 1 || k == 2;
        MPI_Type_vector(2, 1, 1 + t.gap, MPI_INT, &t.type);
        MPI_Datatype packed = t.type;
        MPI_Type_create_resized(packed, 0, 2 * (1 + t.gap) * (MPI_Aint)sizeof(int), &t.type);
        MPI_Type_commit(&t.type);
        MPI_Type_free(&packed);
        all(&t, bytes);
        MPI_Type_free(&t.type);
    }
    sums_in_place(&t);
    uneven_sums(t.size, t.me, false);
    uneven_sums(t.size, t.me, true);
    MPI_Op_free(&ops[0]);
    MPI_Op_free(&ops[1]);
    MPI_Finalize();
    return 0;
}
