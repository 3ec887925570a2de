/* SPDX-License-Identifier: MIT */
/* Blocking collectives of few bytes, again and again and mixed: on communicators that share ranks,
 * on more of them than there are places to meet in memory, on freed ones' places, and while
 * messages and nonblocking operations of the waiting ranks are under way. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { COMMS = 70, LARGE = 20000 };

static int rank, size;

static long sum_to(int n)
{
    return (long)n * (n - 1) / 2;
}

/* Each kind once, with a count that grows and shrinks round the limit of what meets in memory. */
static void each(MPI_Comm comm, int turn)
{
    enum { LONGS = 80 };
    int me, n, count = 1 + turn * 13 % LONGS, root;
    long in[LONGS], out[LONGS];
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    root = turn % n;
    for (int i = 0; i < count; i++)
        in[i] = me + i;
    memset(out, 0, sizeof out);
    CHECK_EQ(MPI_Allreduce(in, out, count, MPI_LONG, MPI_SUM, comm), MPI_SUCCESS);
    for (int i = 0; i < count; i++)
        CHECK_EQ(out[i], sum_to(n) + (long)n * i);
    memset(out, 0, sizeof out);
    CHECK_EQ(MPI_Reduce(in, out, count, MPI_LONG, MPI_MAX, root, comm), MPI_SUCCESS);
    for (int i = 0; i < count; i++)
        CHECK_EQ(out[i], me == root ? n - 1 + i : 0);
    CHECK_EQ(MPI_Allreduce(MPI_IN_PLACE, in, count, MPI_LONG, MPI_MIN, comm), MPI_SUCCESS);
    CHECK_EQ(in[count - 1], count - 1);
    for (int i = 0; i < count; i++)
        in[i] = me == root ? 1000 * root + turn + i : -1;
    CHECK_EQ(MPI_Bcast(in, count, MPI_LONG, root, comm), MPI_SUCCESS);
    for (int i = 0; i < count; i++)
        CHECK_EQ(in[i], 1000 * root + turn + i);
    CHECK_EQ(MPI_Barrier(comm), MPI_SUCCESS);
}

/* Data with gaps, and nothing at all. */
static void shapes(void)
{
    MPI_Datatype gaps;
    int data[6];
    MPI_Type_vector(3, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    for (int i = 0; i < 6; i++)
        data[i] = rank == size - 1 ? i : -1;
    CHECK_EQ(MPI_Bcast(data, 1, gaps, size - 1, MPI_COMM_WORLD), MPI_SUCCESS);
    for (int i = 0; i < 6; i++)
        CHECK_EQ(data[i], i % 2 == 0 || rank == size - 1 ? i : -1);
    MPI_Type_free(&gaps);
    CHECK_EQ(MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    CHECK_EQ(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
}

/* Both halves at once, then all, by turns. */
static void halves(int turns)
{
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    for (int i = 0; i < turns; i++) {
        each(half, i);
        each(MPI_COMM_WORLD, i);
    }
    MPI_Comm_free(&half);
}

/* More than there are places; the freed ones' are used again. */
static void many(void)
{
    static MPI_Comm comm[COMMS];
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < COMMS; i++)
            MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
        for (int i = 0; i < COMMS; i++) {
            int one = 1, all = 0;
            CHECK_EQ(MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm[i]), MPI_SUCCESS);
            CHECK_EQ(all, size);
            CHECK_EQ(MPI_Barrier(comm[i]), MPI_SUCCESS);
        }
        for (int i = 0; i < COMMS; i++)
            MPI_Comm_free(&comm[i]);
    }
}

/* Who waits in a barrier still gives and takes what it has promised. */
static void beside(void)
{
    static char out[LARGE], in[LARGE];
    MPI_Request q[3];
    int one = 1, all = 0, next = (rank + 1) % size, before = (rank + size - 1) % size;
    memset(out, rank, LARGE);
    MPI_Irecv(in, LARGE, MPI_CHAR, before, 3, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(out, LARGE, MPI_CHAR, next, 3, MPI_COMM_WORLD, &q[1]);
    MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q[2]);
    if (rank == 0) {
        int late = 0;
        MPI_Recv(&late, 1, MPI_INT, size - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQ(late, 7);
    } else if (rank == size - 1) {
        MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
        int late = 7;
        MPI_Send(&late, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    }
    CHECK_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    CHECK_EQ(all, size);
    CHECK(in[0] == (char)before && in[LARGE - 1] == (char)before);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int turns = argc > 1 ? atoi(argv[1]) : 10;
    for (int i = 0; i < turns; i++)
        each(MPI_COMM_WORLD, i);
    shapes();
    halves(turns);
    many();
    if (size > 1)
        beside();
    MPI_Finalize();
    return 0;
}
