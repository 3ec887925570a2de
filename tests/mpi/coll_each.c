/* SPDX-License-Identifier: MIT */
/* Collectives of few bytes in an order that all ranks draw alike, while each comes late now and
 * then: by less than a rank looks for the others, or by so much that these sleep. Between them
 * amounts of data that differ, which end in an error on all ranks, and communicators that come and
 * go. */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "choose.h"
#include "late.h"

enum { MOST = 40, LONG = 1100, RANKS = 16 };

static unsigned int common = 1, own;
static int rank, size;

static long value(int of, int i)
{
    return of * 1000 + i;
}

static long sum(int ranks, int i)
{
    return 1000L * ranks * (ranks - 1) / 2 + (long)ranks * i;
}

static void check_sums(const long *got, int n, int ranks)
{
    for (int i = 0; i < n; i++)
        CHECK_EQ(got[i], sum(ranks, i));
}

static void reductions(MPI_Comm comm, unsigned int kind, int n)
{
    long in[MOST], out[MOST];
    int root = (int)draw(&common, (unsigned int)size);
    for (int i = 0; i < n; i++) {
        in[i] = value(rank, i);
        out[i] = -1;
    }
    if (kind == 0)
        CHECK_EQ(MPI_Allreduce(in, out, n, MPI_LONG, MPI_SUM, comm), MPI_SUCCESS);
    else if (kind == 1)
        CHECK_EQ(MPI_Scan(in, out, n, MPI_LONG, MPI_SUM, comm), MPI_SUCCESS);
    else if (kind == 2)
        CHECK_EQ(MPI_Exscan(in, rank ? out : NULL, n, MPI_LONG, MPI_SUM, comm), MPI_SUCCESS);
    else
        CHECK_EQ(MPI_Reduce(in, out, n, MPI_LONG, MPI_SUM, root, comm), MPI_SUCCESS);
    if (kind == 0 || (kind == 3 && rank == root))
        check_sums(out, n, size);
    if (kind == 1 || (kind == 2 && rank > 0))
        check_sums(out, n, kind == 1 ? rank + 1 : rank);
}

static void exchanges(MPI_Comm comm, unsigned int kind, int n)
{
    long in[RANKS * MOST], out[RANKS * MOST];
    for (int to = 0; to < size; to++)
        for (int i = 0; i < n; i++)
            in[to * n + i] = value(rank, kind == 0 ? i : to * n + i);
    if (kind == 0)
        CHECK_EQ(MPI_Allgather(in, n, MPI_LONG, out, n, MPI_LONG, comm), MPI_SUCCESS);
    else
        CHECK_EQ(MPI_Alltoall(in, n, MPI_LONG, out, n, MPI_LONG, comm), MPI_SUCCESS);
    for (int from = 0; from < size; from++)
        for (int i = 0; i < n; i++)
            CHECK_EQ(out[from * n + i], value(from, kind == 0 ? i : rank * n + i));
}

/* Rank i has i % 3 elements more, or so many that they are no short data. */
static int length(int of, int n)
{
    return n > MOST - 10 ? of % 2 * LONG : n + of % 3;
}

static void rooted(MPI_Comm comm, unsigned int kind, int n)
{
    static long all[RANKS * (MOST + 3) + RANKS / 2 * LONG], mine[LONG];
    int counts[RANKS], starts[RANKS], end = 0, root = (int)draw(&common, (unsigned int)size);
    for (int i = 0; i < size; end += counts[i++] + 1) {
        counts[i] = length(i, n);
        starts[i] = end;
        for (int k = 0; k < counts[i]; k++)
            all[end + k] = kind == 0 && rank == root ? value(i, k) : -1;
    }
    for (int k = 0; k < counts[rank]; k++)
        mine[k] = kind == 0 ? -1 : value(rank, k);
    if (kind == 0)
        CHECK_EQ(
            MPI_Scatterv(all, counts, starts, MPI_LONG, mine, counts[rank], MPI_LONG, root, comm),
            MPI_SUCCESS);
    else if (kind == 1)
        CHECK_EQ(
            MPI_Gatherv(mine, counts[rank], MPI_LONG, all, counts, starts, MPI_LONG, root, comm),
            MPI_SUCCESS);
    else
        CHECK_EQ(MPI_Allgatherv(mine, counts[rank], MPI_LONG, all, counts, starts, MPI_LONG, comm),
                 MPI_SUCCESS);
    for (int k = 0; k < counts[rank]; k++)
        CHECK_EQ(mine[k], value(rank, k));
    for (int i = 0; i < size && (kind == 2 || (kind == 1 && rank == root)); i++)
        for (int k = 0; k < counts[i]; k++)
            CHECK_EQ(all[starts[i] + k], value(i, k));
}

/* In place and not. */
static void parts(MPI_Comm comm, int n)
{
    long in[RANKS * (MOST + 2)], out[MOST + 2];
    int counts[RANKS], before = 0, end = 0, in_place = (int)draw(&common, 2);
    for (int i = 0; i < size; end += counts[i++]) {
        counts[i] = n + i % 3;
        before = i == rank ? end : before;
    }
    for (int i = 0; i < end; i++)
        in[i] = value(rank, i);
    CHECK_EQ(MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : in, in_place ? in : out, counts, MPI_LONG,
                                MPI_SUM, comm),
             MPI_SUCCESS);
    for (int i = 0; i < counts[rank]; i++)
        CHECK_EQ((in_place ? in : out)[i], sum(size, before + i));
}

/* Rank 0 gives one element more than the others. */
static void differ(MPI_Comm comm)
{
    long in[MOST + 1] = {0}, out[MOST + 1];
    int n = 1 + (int)draw(&common, MOST - 1);
    CHECK(MPI_Allreduce(in, out, n + (rank == 0), MPI_LONG, MPI_SUM, comm) != MPI_SUCCESS);
}

/* Ranks that are not the root may be ahead of it, and the root finds what they gave in each. */
static void reduce_often(MPI_Comm comm)
{
    int root = (int)draw(&common, (unsigned int)size), n = 1 + (int)draw(&common, MOST);
    for (int i = (int)draw(&common, 20); i > 0; i--) {
        long in[MOST], out[MOST];
        for (int k = 0; k < n; k++)
            in[k] = value(rank, i + k);
        if (i % 4 == 0)
            come_late(&own, 64, 16);
        CHECK_EQ(MPI_Reduce(in, out, n, MPI_LONG, MPI_SUM, root, comm), MPI_SUCCESS);
        for (int k = 0; k < n && rank == root; k++)
            CHECK_EQ(out[k], sum(size, i + k));
    }
}

/* Calls that are messages, in which nobody needs another one, may end well: then one of the next
 * tells somebody, at the latest one in which all need all, when all that was sent in them has
 * come; and others perhaps only in a later one, which is not called here. */
static void differ_unseen(MPI_Comm comm)
{
    long data = 0, sum;
    int failed = 0;
    if (draw(&common, 2))
        failed |= MPI_Reduce(&data, &sum, 1, MPI_LONG, MPI_SUM, (rank + 1) % size, comm);
    else if (rank == 0)
        failed |= MPI_Bcast(&data, 1, MPI_LONG, 0, comm);
    else
        failed |= MPI_Reduce(&data, &sum, 1, MPI_LONG, MPI_SUM, 0, comm);
    for (int i = (int)draw(&common, 10); i > 0; i--)
        failed |= MPI_Reduce(&data, &sum, 1, MPI_LONG, MPI_SUM, 0, comm);
    for (int i = 1; i < size && rank == 0; i++)
        MPI_Recv(NULL, 0, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > 0)
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    int next = MPI_Barrier(comm), any;
    failed = failed != MPI_SUCCESS || next != MPI_SUCCESS;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK_EQ(any, 1);
}

static void one(MPI_Comm comm)
{
    unsigned int kind = draw(&common, 13);
    int n = (int)draw(&common, MOST + 1), root = (int)draw(&common, (unsigned int)size);
    come_late(&own, 64, 16);
    if (kind < 4)
        reductions(comm, kind, n);
    else if (kind < 6)
        exchanges(comm, kind - 4, n);
    else if (kind == 6)
        CHECK_EQ(MPI_Barrier(comm), MPI_SUCCESS);
    else if (kind < 10)
        rooted(comm, kind - 7, n);
    else if (kind == 10)
        parts(comm, n);
    else if (kind == 11)
        reduce_often(comm);
    else
        CHECK_EQ(MPI_Bcast(&n, 1, MPI_INT, root, comm), MPI_SUCCESS);
}

/* Of communicators that meet once, at the place of the one before. Of a reduction one might leave
 * before others come. */
static void meet_once(int turn)
{
    MPI_Comm comm;
    int out = -1, in = turn + rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    come_late(&own, 64, 16);
    if (turn % 2)
        CHECK_EQ(MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_MIN, comm), MPI_SUCCESS);
    else
        CHECK_EQ(MPI_Reduce(&in, &out, 1, MPI_INT, MPI_MIN, 0, comm), MPI_SUCCESS);
    CHECK_EQ(out, turn % 2 || rank == 0 ? turn : -1);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int turns = argc > 1 ? atoi(argv[1]) : 100;
    own = (unsigned int)rank + 1;
    CHECK(size <= RANKS);
    bool meet = argc > 2 && strcmp(argv[2], "meet") == 0;
    bool unseen = argc > 2 && strcmp(argv[2], "unseen") == 0;
    if (meet) /* in shared memory, where they would be messages */
        choose("reduce.algorithm", "reduce-segment");
    for (int turn = 0; turn < turns; turn++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        for (int i = 0; i < 50; i++)
            one(comm);
        if (size > 1 && turn % 4 == 0)
            differ(comm);
        for (int i = 0; i < 5; i++)
            one(comm);
        if (size > 1 && turn % 4 == 1 && unseen)
            differ_unseen(comm);
        MPI_Comm_free(&comm);
        for (int i = 0; i < 10; i++)
            meet_once(turn + i);
    }
    MPI_Finalize();
    return 0;
}
