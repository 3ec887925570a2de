/* SPDX-License-Identifier: MIT */
/* Collectives that move data, in all forms, with all roots, in place and not, with types with and
 * without gaps, small and large: every byte of the result is compared with what a serial program
 * says, the bytes between and behind the data too. */
#include "coll.h"

struct run {
    MPI_Comm comm;
    int me, size;
    enum form form;
    const struct shape *s;
    int count;                          /* elements per rank */
    int lengths[64], starts[64], total; /* v forms: lengths[i] elements at starts[i], holes
                                                between */
};

static void plan(struct run *t)
{
    t->total = 0;
    for (int i = 0; i < t->size; i++) {
        t->lengths[i] = i % 3 == 1 ? 0 : t->count + i % 4;
        t->starts[i] = t->total;
        t->total += t->lengths[i] + 1;
    }
}

static void check_and_free(struct run *t, int n, int *got, int *expected)
{
    CHECK(same(t->s, n, got, expected));
    free(got);
    free(expected);
}

static void barrier(struct run *t)
{
    COLL(t->form, Barrier, Ibarrier, t->comm);
}

static void bcast(struct run *t, int root)
{
    int *buf = elements(t->s, t->count), *expected = elements(t->s, t->count);
    put(t->s, expected, 0, t->count, root, 0);
    if (t->me == root)
        put(t->s, buf, 0, t->count, root, 0);
    COLL(t->form, Bcast, Ibcast, buf, t->count, t->s->type, root, t->comm);
    check_and_free(t, t->count, buf, expected);
}

/* Gather and its v t->form. */
static void gather(struct run *t, int root, int in_place, int v)
{
    int n = v ? t->total : t->count * t->size, mine = v ? t->lengths[t->me] : t->count;
    int *send = elements(t->s, mine), *recv = elements(t->s, n), *expected = elements(t->s, n);
    put(t->s, send, 0, mine, t->me, 0);
    for (int i = 0; i < t->size && t->me == root; i++)
        put(t->s, expected, v ? t->starts[i] : i * t->count, v ? t->lengths[i] : t->count, i, 0);
    if (in_place && t->me == root)
        put(t->s, recv, v ? t->starts[t->me] : t->me * t->count, mine, t->me, 0);
    const void *from = in_place && t->me == root ? MPI_IN_PLACE : send;
    if (v)
        COLL(t->form, Gatherv, Igatherv, from, mine, t->s->type, recv, t->lengths, t->starts,
             t->s->type, root, t->comm);
    else
        COLL(t->form, Gather, Igather, from, mine, t->s->type, recv, t->count, t->s->type, root,
             t->comm);
    free(send);
    check_and_free(t, n, recv, expected);
}

static void scatter(struct run *t, int root, int in_place, int v)
{
    int n = v ? t->total : t->count * t->size, mine = v ? t->lengths[t->me] : t->count;
    int *send = elements(t->s, n), *recv = elements(t->s, mine), *expected = elements(t->s, mine);
    for (int i = 0; i < t->size && t->me == root; i++)
        put(t->s, send, v ? t->starts[i] : i * t->count, v ? t->lengths[i] : t->count, root, i);
    if (!(in_place && t->me == root))
        put(t->s, expected, 0, mine, root, t->me);
    void *to = in_place && t->me == root ? MPI_IN_PLACE : recv;
    if (v)
        COLL(t->form, Scatterv, Iscatterv, send, t->lengths, t->starts, t->s->type, to, mine,
             t->s->type, root, t->comm);
    else
        COLL(t->form, Scatter, Iscatter, send, t->count, t->s->type, to, mine, t->s->type, root,
             t->comm);
    free(send);
    check_and_free(t, mine, recv, expected);
}

static void allgather(struct run *t, int in_place, int v)
{
    int n = v ? t->total : t->count * t->size, mine = v ? t->lengths[t->me] : t->count;
    int *send = elements(t->s, mine), *recv = elements(t->s, n), *expected = elements(t->s, n);
    put(t->s, send, 0, mine, t->me, 0);
    for (int i = 0; i < t->size; i++)
        put(t->s, expected, v ? t->starts[i] : i * t->count, v ? t->lengths[i] : t->count, i, 0);
    if (in_place)
        put(t->s, recv, v ? t->starts[t->me] : t->me * t->count, mine, t->me, 0);
    const void *from = in_place ? MPI_IN_PLACE : send;
    if (v)
        COLL(t->form, Allgatherv, Iallgatherv, from, mine, t->s->type, recv, t->lengths, t->starts,
             t->s->type, t->comm);
    else
        COLL(t->form, Allgather, Iallgather, from, mine, t->s->type, recv, t->count, t->s->type,
             t->comm);
    free(send);
    check_and_free(t, n, recv, expected);
}

/* Rank i gives rank j, and gets from it, `t->count` elements; in the v forms (i + j) % 3. */
static void alltoall(struct run *t, int in_place, int variant)
{
    int n[64], at[64], bytes[64], end = 0;
    MPI_Datatype types[64];
    for (int i = 0; i < t->size; i++) {
        n[i] = variant ? (t->me + i) % 3 : t->count;
        at[i] = end;
        bytes[i] = end * t->s->extent * (int)sizeof(int);
        end += n[i] + (variant ? 1 : 0);
        types[i] = t->s->type;
    }
    int *send = elements(t->s, end), *recv = elements(t->s, end), *expected = elements(t->s, end);
    for (int i = 0; i < t->size; i++) {
        put(t->s, in_place ? recv : send, at[i], n[i], t->me, i);
        put(t->s, expected, at[i], n[i], i, t->me);
    }
    const void *from = in_place ? MPI_IN_PLACE : send;
    if (variant == 0)
        COLL(t->form, Alltoall, Ialltoall, from, t->count, t->s->type, recv, t->count, t->s->type,
             t->comm);
    else if (variant == 1)
        COLL(t->form, Alltoallv, Ialltoallv, from, n, at, t->s->type, recv, n, at, t->s->type,
             t->comm);
    else
        COLL(t->form, Alltoallw, Ialltoallw, from, n, bytes, types, recv, n, bytes, types, t->comm);
    free(send);
    check_and_free(t, end, recv, expected);
}

static void all(struct run *t)
{
    plan(t);
    barrier(t);
    for (int root = 0; root<t->size; root += t->size> 5 ? 3 : 1) {
        bcast(t, root);
        for (int v = 0; v < 2; v++)
            for (int in_place = 0; in_place < 2; in_place++) {
                gather(t, root, in_place, v);
                scatter(t, root, in_place, v);
            }
    }
    for (int in_place = 0; in_place < 2; in_place++) {
        for (int v = 0; v < 2; v++)
            allgather(t, in_place, v);
        for (int variant = 0; variant < 3; variant++)
            alltoall(t, in_place, variant);
    }
}

static void test(MPI_Comm comm)
{
    static const int counts[] = {0, 1, 7, 250};
    struct shape shape[2];
    struct run run = {.comm = comm}, *t = &run;
    shapes_make(shape);
    MPI_Comm_rank(comm, &t->me);
    MPI_Comm_size(comm, &t->size);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            t->count = counts[i];
            t->s = &shape[k];
            t->form = (enum form)((i + k) % FORMS);
            all(t);
        }
    for (int k = 0; k < (t->size <= 5 ? 2 : t->size == 16); k++) {
        t->count = 40000 >> k; /* with gaps it is packed, in memory that many ranks of 2 MB lack */
        t->s = &shape[k];
        t->form = k ? NONBLOCKING : BLOCKING;
        bcast(t, t->size / 2);
        bcast(t, t->size - 1);
    }
    shapes_free(shape);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    each_size(test);
    MPI_Finalize();
    return 0;
}
