/* SPDX-License-Identifier: MIT */
/* Collectives that reduce, in all forms, with all roots, in place and not, with an operation that
 * does not commute (the composition of affine functions, in rank order), one of the program that
 * does, of predefined elements, too, and a predefined one; compared with a serial program. */
#include "coll.h"

#define PRIME 10007

struct run {
    MPI_Comm comm;
    int me, size;
    enum form form;
    const struct shape *s;
    int count;
    MPI_Op op;
    int affine; /* which of the two arithmetics */
};

static int step_of(MPI_Datatype type, int *extent)
{
    MPI_Aint lb, bytes;
    MPI_Type_get_extent(type, &lb, &bytes);
    *extent = (int)(bytes / (MPI_Aint)sizeof(int));
    return *extent == 5 ? 2 : 1;
}

/* (a, b) stands for x -> a x + b; first g, then f. */
static void compose(const int *g, const int *f, int step, int *to)
{
    long long a = (long long)g[0] * f[0], b = (long long)f[0] * g[step] + f[step];
    to[0] = (int)(a % PRIME);
    to[step] = (int)(b % PRIME);
}

static void add(const int *x, const int *y, int ints, int step, int *to)
{
    for (int j = 0; j < ints; j++)
        to[j * step] = x[j * step] + y[j * step];
}

static void user_compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int extent, step = step_of(*type, &extent);
    for (int e = 0; e < *n; e++)
        compose((int *)in + e * extent, (int *)inout + e * extent, step, (int *)inout + e * extent);
}

static void user_add(void *in, void *inout, MPI_Count *n, MPI_Datatype *type)
{
    int extent, step = step_of(*type, &extent);
    for (MPI_Count e = 0; e < *n; e++)
        add((int *)in + e * extent, (int *)inout + e * extent, 2, step, (int *)inout + e * extent);
}

static void give(const struct run *t, int *buf, int n, int rank)
{
    put(t->s, buf, 0, n, rank % 50, 3);
}

/* Elements [from, from + n) of what ranks first .. last give, reduced in order. */
static void reference(const struct run *t, int *to, int all, int from, int n, int first, int last)
{
    int *acc = elements(t->s, all), *next = elements(t->s, all);
    give(t, acc, all, first);
    for (int i = first + 1; i <= last; i++) {
        give(t, next, all, i);
        for (int e = 0; e < all; e++) {
            int *a = acc + e * t->s->extent, *b = next + e * t->s->extent;
            if (t->affine)
                compose(a, b, t->s->step, a);
            else
                add(a, b, t->s->ints, t->s->step, a);
        }
    }
    for (int e = 0; e < n; e++)
        for (int j = 0; j < t->s->ints; j++)
            to[e * t->s->extent + j * t->s->step] = acc[(from + e) * t->s->extent + j * t->s->step];
    free(acc);
    free(next);
}

static void check_and_free(const struct run *t, int n, int *send, int *got, int *expected)
{
    CHECK(same(t->s, n, got, expected));
    free(send);
    free(got);
    free(expected);
}

static void reduce(const struct run *t, int root, int in_place)
{
    int *send = elements(t->s, t->count), *recv = elements(t->s, t->count),
        *expected = elements(t->s, t->count);
    give(t, send, t->count, t->me);
    const void *from = send;
    if (t->me == root) {
        reference(t, expected, t->count, 0, t->count, 0, t->size - 1);
        if (in_place) {
            give(t, recv, t->count, t->me);
            from = MPI_IN_PLACE;
        }
    }
    COLL(t->form, Reduce, Ireduce, from, recv, t->count, t->s->type, t->op, root, t->comm);
    check_and_free(t, t->count, send, recv, expected);
}

static void allreduce(const struct run *t, int in_place)
{
    int *send = elements(t->s, t->count), *recv = elements(t->s, t->count),
        *expected = elements(t->s, t->count);
    give(t, in_place ? recv : send, t->count, t->me);
    reference(t, expected, t->count, 0, t->count, 0, t->size - 1);
    COLL(t->form, Allreduce, Iallreduce, in_place ? MPI_IN_PLACE : send, recv, t->count, t->s->type,
         t->op, t->comm);
    check_and_free(t, t->count, send, recv, expected);
}

static void scan(const struct run *t, int in_place, int exclusive)
{
    int *send = elements(t->s, t->count), *recv = elements(t->s, t->count),
        *expected = elements(t->s, t->count);
    const void *from = in_place ? MPI_IN_PLACE : send;
    give(t, in_place ? recv : send, t->count, t->me);
    int last = exclusive ? t->me - 1 : t->me;
    if (last >= 0)
        reference(t, expected, t->count, 0, t->count, 0, last);
    else if (in_place)
        give(t, expected, t->count, t->me);
    if (exclusive)
        COLL(t->form, Exscan, Iexscan, from, recv, t->count, t->s->type, t->op, t->comm);
    else
        COLL(t->form, Scan, Iscan, from, recv, t->count, t->s->type, t->op, t->comm);
    check_and_free(t, t->count, send, recv, expected);
}

/* In place only the own part is defined afterwards. */
static void reduce_scatter(const struct run *t, int in_place, int block)
{
    int counts[64], all = 0, from = 0, part = (t->count + t->size - 1) / t->size;
    for (int i = 0; i < t->size; i++) {
        counts[i] = block ? part : (i % 3 == 1 ? 0 : part + i % 2);
        from += i < t->me ? counts[i] : 0;
        all += counts[i];
    }
    int n = in_place ? all : counts[t->me];
    int *send = elements(t->s, all), *recv = elements(t->s, n), *expected = elements(t->s, n);
    give(t, in_place ? recv : send, all, t->me);
    reference(t, expected, all, from, counts[t->me], 0, t->size - 1);
    const void *data = in_place ? MPI_IN_PLACE : send;
    if (block)
        COLL(t->form, Reduce_scatter_block, Ireduce_scatter_block, data, recv, part, t->s->type,
             t->op, t->comm);
    else
        COLL(t->form, Reduce_scatter, Ireduce_scatter, data, recv, counts, t->s->type, t->op,
             t->comm);
    if (in_place) {
        size_t used = (size_t)counts[t->me] * (size_t)t->s->extent * sizeof(int);
        CHECK(memcmp(recv, expected, used) == 0);
        memcpy(recv, expected, (size_t)(n + 1) * (size_t)t->s->extent * sizeof(int));
    }
    check_and_free(t, n, send, recv, expected);
}

static void all(const struct run *t)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        for (int root = 0; root<t->size; root += t->size> 5 ? 5 : 1)
            reduce(t, root, in_place);
        allreduce(t, in_place);
        scan(t, in_place, 0);
        scan(t, in_place, 1);
        reduce_scatter(t, in_place, 0);
        reduce_scatter(t, in_place, 1);
    }
}

enum { WHOLE, INTS, GAPS, PREDEFINED };

static void test(MPI_Comm comm)
{
    static const int counts[] = {0, 1, 5, 60, 300};
    struct shape shape[] = {
        [WHOLE] = {MPI_DATATYPE_NULL, 2, 1, 2}, [PREDEFINED] = {MPI_2INT, 2, 1, 2}};
    MPI_Op compose_op, add_op;
    MPI_Op_create(user_compose, 0, &compose_op);
    MPI_Op_create_c(user_add, 1, &add_op);
    shapes_make(shape + INTS);
    MPI_Type_contiguous(2, MPI_INT, &shape[WHOLE].type);
    MPI_Type_commit(&shape[WHOLE].type);
    /* many: for the algorithms of large vectors; with gaps only where memory allows. */
    const struct {
        MPI_Op op;
        int affine, shape, many;
    } kind[] = {{compose_op, 1, WHOLE, 1}, {compose_op, 1, GAPS, 1}, {add_op, 0, WHOLE, 1},
                {add_op, 0, GAPS, 14},     {MPI_SUM, 0, INTS, 32},   {add_op, 0, PREDEFINED, 1}};
    struct run run = {.comm = comm};
    MPI_Comm_rank(comm, &run.me);
    MPI_Comm_size(comm, &run.size);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 6; k++) {
            int many = i == 4 && (kind[k].shape != GAPS || run.size <= 4) ? kind[k].many : 1;
            run.count = counts[i] * many;
            run.op = kind[k].op;
            run.affine = kind[k].affine;
            run.s = &shape[kind[k].shape];
            run.form = (enum form)((i + k) % FORMS);
            all(&run);
        }
    MPI_Type_free(&shape[WHOLE].type);
    shapes_free(shape + INTS);
    MPI_Op_free(&compose_op);
    MPI_Op_free(&add_op);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    each_size(test);
    MPI_Finalize();
    return 0;
}
