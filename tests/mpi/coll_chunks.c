/* SPDX-License-Identifier: MIT */
/* Long collectives one after the other, on communicators that share ranks, so that what belongs to
 * a rank and not to a communicator is used by several of them in a row: coll_chunks [operations].
 * Lengths around those at which data is cut, data with and without gaps, in place and not; the same
 * sequence on all ranks. At last, ranks that give another amount of data than the others expect. */
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "draw.h"

enum { COMMS = 5, LONGEST = 700 * 1024 / 4, GAP = 3 };

struct call {
    MPI_Comm comm;
    int me, size, root, n; /* n: ints of a rank, or of a block */
    bool in_place, gaps;
    int *send, *recv;
};

static unsigned int state;

/* The same numbers on all ranks: 0 .. n - 1. */
static int below(int n)
{
    return (int)draw(&state, (unsigned int)n);
}

/* Element i of what rank r gives for rank `to`. */
static int value(int r, int to, int i)
{
    return (r * 7 + to * 13 + i % 1009 + 1) % 1000;
}

/* n ints at their places in one element of the type: with gaps every int is followed by others. */
static MPI_Datatype type_of(const struct call *c)
{
    MPI_Datatype vector, type;
    if (!c->gaps)
        CHECK(MPI_Type_contiguous(c->n, MPI_INT, &type) == MPI_SUCCESS);
    else {
        CHECK(MPI_Type_vector(c->n, 1, GAP, MPI_INT, &vector) == MPI_SUCCESS);
        MPI_Aint extent = (MPI_Aint)c->n * GAP * (MPI_Aint)sizeof(int);
        CHECK(MPI_Type_create_resized(vector, 0, extent, &type) == MPI_SUCCESS);
        CHECK(MPI_Type_free(&vector) == MPI_SUCCESS);
    }
    CHECK(MPI_Type_commit(&type) == MPI_SUCCESS);
    return type;
}

static int *int_at(const struct call *c, int *buf, int block, int i)
{
    size_t step = c->gaps ? GAP : 1;
    return &buf[((size_t)block * (size_t)c->n + (size_t)i) * step];
}

static void clear(const struct call *c, int *buf, int blocks)
{
    size_t step = c->gaps ? GAP : 1;
    for (size_t i = 0; i < (size_t)blocks * (size_t)c->n * step; i++)
        buf[i] = -1;
}

static void give(const struct call *c, int *buf, int block, int from, int to)
{
    for (int i = 0; i < c->n; i++)
        *int_at(c, buf, block, i) = value(from, to, i);
}

static void came(const struct call *c, int block, int from, int to)
{
    for (int i = 0; i < c->n; i++) {
        CHECK_EQ(*int_at(c, c->recv, block, i), value(from, to, i));
        if (c->gaps)
            CHECK_EQ(int_at(c, c->recv, block, i)[1], -1);
    }
}

static void bcast(const struct call *c, MPI_Datatype type)
{
    clear(c, c->recv, 1);
    if (c->me == c->root)
        give(c, c->recv, 0, c->root, 0);
    CHECK(MPI_Bcast(c->recv, 1, type, c->root, c->comm) == MPI_SUCCESS);
    came(c, 0, c->root, 0);
}

static void allgather(const struct call *c, MPI_Datatype type)
{
    clear(c, c->recv, c->size);
    give(c, c->in_place ? c->recv : c->send, c->in_place ? c->me : 0, c->me, 0);
    CHECK(MPI_Allgather(c->in_place ? MPI_IN_PLACE : c->send, 1, type, c->recv, 1, type, c->comm) ==
          MPI_SUCCESS);
    for (int i = 0; i < c->size; i++)
        came(c, i, i, 0);
}

static void alltoall(const struct call *c, MPI_Datatype type)
{
    clear(c, c->recv, c->size);
    for (int i = 0; i < c->size; i++)
        give(c, c->in_place ? c->recv : c->send, i, c->me, i);
    CHECK(MPI_Alltoall(c->in_place ? MPI_IN_PLACE : c->send, 1, type, c->recv, 1, type, c->comm) ==
          MPI_SUCCESS);
    for (int i = 0; i < c->size; i++)
        came(c, i, i, c->me);
}

/* Element i of what the ranks first .. last - 1 gave, added up. */
static int sum(int first, int last, int i)
{
    int all = 0;
    for (int r = first; r < last; r++)
        all += value(r, 0, i);
    return all;
}

static void summed(const struct call *c, int last)
{
    for (int i = 0; i < c->n; i++)
        CHECK_EQ(c->recv[i], sum(0, last, i));
}

/* What a rank gives to a reduction: in the receive buffer if it is in place. */
static const void *operand(const struct call *c, bool in_place)
{
    struct call dense = *c;
    dense.gaps = false;
    clear(&dense, c->recv, 1);
    give(&dense, in_place ? c->recv : c->send, 0, c->me, 0);
    return in_place ? MPI_IN_PLACE : c->send;
}

static void reduce(const struct call *c, MPI_Datatype type)
{
    (void)type;
    const void *own = operand(c, c->in_place && c->me == c->root);
    CHECK(MPI_Reduce(own, c->recv, c->n, MPI_INT, MPI_SUM, c->root, c->comm) == MPI_SUCCESS);
    if (c->me == c->root)
        summed(c, c->size);
}

static void allreduce(const struct call *c, MPI_Datatype type)
{
    (void)type;
    CHECK(MPI_Allreduce(operand(c, c->in_place), c->recv, c->n, MPI_INT, MPI_SUM, c->comm) ==
          MPI_SUCCESS);
    summed(c, c->size);
}

static void scan(const struct call *c, MPI_Datatype type)
{
    (void)type;
    CHECK(MPI_Scan(operand(c, c->in_place), c->recv, c->n, MPI_INT, MPI_SUM, c->comm) ==
          MPI_SUCCESS);
    summed(c, c->me + 1);
}

static void exscan(const struct call *c, MPI_Datatype type)
{
    (void)type;
    CHECK(MPI_Exscan(operand(c, c->in_place), c->recv, c->n, MPI_INT, MPI_SUM, c->comm) ==
          MPI_SUCCESS);
    if (c->me > 0)
        summed(c, c->me);
}

static const struct {
    void (*run)(const struct call *c, MPI_Datatype type);
    bool blocks; /* n ints for each rank */
} calls[] = {{bcast, false},     {allgather, true}, {alltoall, true}, {reduce, false},
             {allreduce, false}, {scan, false},     {exscan, false}};

enum { CALLS = sizeof calls / sizeof *calls };

/* All, all again, those with an even rank, all but the last one, backwards; and four at a time that
 * have no rank in common, but processes and cores. */
static void make_comms(MPI_Comm *comm)
{
    int me, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    comm[0] = MPI_COMM_WORLD;
    CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &comm[1]) == MPI_SUCCESS);
    int even = me % 2 ? MPI_UNDEFINED : 0, but_last = me == size - 1 ? MPI_UNDEFINED : 0;
    CHECK(MPI_Comm_split(MPI_COMM_WORLD, even, me, &comm[2]) == MPI_SUCCESS);
    CHECK(MPI_Comm_split(MPI_COMM_WORLD, but_last, -me, &comm[3]) == MPI_SUCCESS);
    CHECK(MPI_Comm_split(MPI_COMM_WORLD, me % 4, me, &comm[4]) == MPI_SUCCESS);
}

/* Lengths near powers of two, so that chunks end in all ways. */
static int length(int most)
{
    int n = 1 << below(18);
    n += below(3) - 1 + (below(4) ? 0 : below(n));
    return n < 1 ? 1 : n > most ? most : n;
}

/* A rank whose block is an int longer than the others': its error or theirs, and the end of it. */
static void other_amount(MPI_Comm comm, int *send, int *recv)
{
    int me, n = 20000;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int rc = MPI_Allgather(send, n + (me == 1), MPI_INT, recv, n, MPI_INT, comm);
    if (me == 1)
        CHECK(rc != MPI_SUCCESS);
    rc = MPI_Allreduce(send, recv, n + (me == 1), MPI_INT, MPI_SUM, comm);
    CHECK(rc != MPI_SUCCESS);
    CHECK(MPI_Allreduce(MPI_IN_PLACE, send, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Comm comm[COMMS];
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_comms(comm);
    size_t most = (size_t)LONGEST * GAP * sizeof(int);
    int *send = malloc(most), *recv = malloc(most);
    CHECK(send && recv);
    for (int times = argc > 1 ? atoi(argv[1]) : 100; times > 0; times--) {
        int on = below(COMMS), what = below(CALLS), root = below(1 << 16);
        struct call c = {.comm = comm[on], .send = send, .recv = recv};
        c.in_place = below(2);
        c.gaps = below(2);
        c.n = length(calls[what].blocks ? LONGEST / size : LONGEST);
        if (c.comm == MPI_COMM_NULL)
            continue;
        MPI_Comm_rank(c.comm, &c.me);
        MPI_Comm_size(c.comm, &c.size);
        c.root = root % c.size;
        MPI_Datatype type = type_of(&c);
        calls[what].run(&c, type);
        CHECK(MPI_Type_free(&type) == MPI_SUCCESS);
    }
    if (size > 1)
        other_amount(comm[1], send, recv);
    for (int i = 1; i < COMMS; i++)
        if (comm[i] != MPI_COMM_NULL)
            CHECK(MPI_Comm_free(&comm[i]) == MPI_SUCCESS);
    free(send);
    free(recv);
    MPI_Finalize();
    return 0;
}
