/* SPDX-License-Identifier: MIT */
/* mismatch all|compared [WAY]: the last rank disagrees with the others about a collective:
 * somebody gets an error, who gets none has what the root gave, nobody waits for ever, and
 * afterwards all is as before. compared: only what is noticed without the checking layer, because a
 * message comes to somebody who compares it, or the ranks meet, or one fails by itself. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define LARGE 600   /* ints: more than ranks of a cluster pass on in its memory */
#define LONG  20000 /* fewer than algorithms for long messages are for; not twice as many */
#define MOST  16    /* ranks */
#define LATE  1e-3  /* seconds */

enum { NOBODY = -1 };

static int in[2 * LONG], out[2 * LONG];

/* The odd one gives another count. */
static int count_of(int odd, int n)
{
    return odd ? 2 * n : n;
}

static int bcast_more(int odd, int n)
{
    return MPI_Bcast(in, count_of(odd, n), MPI_INT, 0, MPI_COMM_WORLD);
}

static int bcast_less(int odd, int n)
{
    return MPI_Bcast(in, count_of(!odd, n), MPI_INT, 0, MPI_COMM_WORLD);
}

static int allreduce(int odd, int n)
{
    return MPI_Allreduce(in, out, count_of(odd, n), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int reduce(int odd, int n)
{
    return MPI_Reduce(in, out, count_of(odd, n), MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static int gather(int odd, int n)
{
    return MPI_Gather(in, count_of(odd, n), MPI_INT, out, n, MPI_INT, 0, MPI_COMM_WORLD);
}

static int scatter(int odd, int n)
{
    return MPI_Scatter(in, n, MPI_INT, out, count_of(odd, n), MPI_INT, 0, MPI_COMM_WORLD);
}

static int alltoall(int odd, int n)
{
    return MPI_Alltoall(in, count_of(odd, n), MPI_INT, out, count_of(odd, n), MPI_INT,
                        MPI_COMM_WORLD);
}

static int allgather(int odd, int n)
{
    return MPI_Allgather(in, count_of(odd, n), MPI_INT, out, count_of(odd, n), MPI_INT,
                         MPI_COMM_WORLD);
}

static int operations(int odd, int n)
{
    if (odd)
        return MPI_Reduce(in, out, n, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    return MPI_Bcast(in, n, MPI_INT, 0, MPI_COMM_WORLD);
}

static int roots(int odd, int n)
{
    return MPI_Bcast(in, n, MPI_INT, odd ? 1 : 0, MPI_COMM_WORLD);
}

static int barrier(int odd, int n)
{
    if (odd)
        return MPI_Bcast(in, n, MPI_INT, 0, MPI_COMM_WORLD);
    return MPI_Barrier(MPI_COMM_WORLD);
}

static int ops(int odd, int n)
{
    return MPI_Allreduce(in, out, n, MPI_INT, odd ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
}

static int roots_of_gather(int odd, int n)
{
    return MPI_Gather(in, n, MPI_INT, out, n, MPI_INT, odd ? 1 : 0, MPI_COMM_WORLD);
}

static int all_or_one(int odd, int n)
{
    if (odd)
        return MPI_Reduce(in, out, n, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    return MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int elements(int odd, int n)
{
    return MPI_Allreduce(in, out, n, odd ? MPI_FLOAT : MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int forms(int odd, int n)
{
    int counts[MOST], starts[MOST];
    for (int i = 0; i < MOST; i++) {
        counts[i] = n;
        starts[i] = i * n;
    }
    if (odd)
        return MPI_Allgather(in, n, MPI_INT, out, n, MPI_INT, MPI_COMM_WORLD);
    return MPI_Allgatherv(in, n, MPI_INT, out, counts, starts, MPI_INT, MPI_COMM_WORLD);
}

/* The odd one thinks that all but one of them give, or get, less. */
static void other_counts(int odd, int n, int *counts, int *starts)
{
    for (int i = 0; i < MOST; i++) {
        counts[i] = odd && i != 0 ? n / 2 : n;
        starts[i] = i * n;
    }
}

static int counts_to_gather(int odd, int n)
{
    int counts[MOST], starts[MOST];
    other_counts(odd, n, counts, starts);
    return MPI_Allgatherv(in, counts[world_rank()], MPI_INT, out, counts, starts, MPI_INT,
                          MPI_COMM_WORLD);
}

/* In all they are as many. */
static int counts_to_reduce(int odd, int n)
{
    int counts[MOST];
    for (int i = 0; i < MOST; i++)
        counts[i] = n;
    counts[0] += odd;
    counts[1] -= odd;
    return MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int gatherv(int odd, int n)
{
    int counts[MOST], starts[MOST];
    other_counts(false, n, counts, starts);
    return MPI_Gatherv(in, count_of(odd, n), MPI_INT, out, counts, starts, MPI_INT, 0,
                       MPI_COMM_WORLD);
}

static int scatterv(int odd, int n)
{
    int counts[MOST], starts[MOST];
    other_counts(false, n, counts, starts);
    return MPI_Scatterv(in, counts, starts, MPI_INT, out, count_of(odd, n), MPI_INT, 0,
                        MPI_COMM_WORLD);
}

/* It gives more than it says to get. */
static int gives_more(int odd, int n)
{
    return MPI_Allgather(in, odd ? LONG : n, MPI_INT, out, n, MPI_INT, MPI_COMM_WORLD);
}

static int waited(MPI_Request *q)
{
    return MPI_Wait(q, MPI_STATUS_IGNORE);
}

static int later(int odd, int n)
{
    MPI_Request q;
    if (odd)
        MPI_Ireduce(in, out, n, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &q);
    else
        MPI_Ibcast(in, n, MPI_INT, 0, MPI_COMM_WORLD, &q);
    return waited(&q);
}

static int later_barrier(int odd, int n)
{
    MPI_Request q;
    if (odd)
        MPI_Iallgather(in, n, MPI_INT, out, n, MPI_INT, MPI_COMM_WORLD, &q);
    else
        MPI_Ibarrier(MPI_COMM_WORLD, &q);
    return waited(&q);
}

static int kept(int odd, int n)
{
    MPI_Request q;
    MPI_Allreduce_init(in, out, n, MPI_INT, odd ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &q);
    MPI_Start(&q);
    int first = waited(&q);
    MPI_Start(&q);
    int second = waited(&q);
    MPI_Request_free(&q);
    return first != MPI_SUCCESS ? first : second;
}

static int two_at_once(int odd, int n)
{
    MPI_Request q[2];
    int rc[2];
    MPI_Iallreduce(in, out, n, MPI_INT, odd ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD, &q[0]);
    MPI_Iallreduce(in, out + n, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q[1]);
    rc[1] = waited(&q[1]);
    rc[0] = waited(&q[0]);
    CHECK_EQ(rc[1], MPI_SUCCESS);
    return rc[0];
}

static int no_count(int odd, int n)
{
    return MPI_Allreduce(in, out, odd ? -1 : n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int no_root(int odd, int n)
{
    return MPI_Bcast(in, n, MPI_INT, odd ? world_size() : 0, MPI_COMM_WORLD);
}

static int one_buffer(int odd, int n)
{
    return MPI_Allgather(in, n, MPI_INT, odd ? in : out, n, MPI_INT, MPI_COMM_WORLD);
}

struct way {
    const char *name;
    int (*run)(int odd, int n);
    int most; /* ints */
    bool bcast;
    bool layer; /* some sizes are noticed by the checking layer only */
};

static const struct way ways[] = {
    {"more to broadcast", bcast_more, LONG, true, true},
    {"less to broadcast", bcast_less, LONG, true, false},
    {"more to reduce for all", allreduce, LONG, false, false},
    {"more to reduce", reduce, LONG, false, false},
    {"more to gather", gather, LARGE, false, false},
    {"more to scatter", scatter, LARGE, false, false},
    {"more to exchange", alltoall, LARGE, false, false},
    {"more to gather for all", allgather, LARGE, false, false},
    {"another operation", operations, LONG, false, true},
    {"another root", roots, LONG, false, false},
    {"another root to gather", roots_of_gather, LARGE, false, true},
    {"no barrier", barrier, LONG, false, true},
    {"another operator", ops, LONG, false, false},
    {"for one, not all", all_or_one, LONG, false, false},
    {"other elements", elements, LONG, false, false},
    {"another form", forms, LARGE, false, false},
    {"more to gather than others", gatherv, LARGE, false, false},
    {"more to scatter than others", scatterv, LARGE, false, false},
    {"other counts to gather", counts_to_gather, LARGE, false, false},
    {"other counts to reduce", counts_to_reduce, LARGE, false, false},
    {"gives more than it gets", gives_more, LARGE, false, false},
    {"another operation, later", later, LONG, false, true},
    {"no barrier, later", later_barrier, LARGE, false, false},
    {"another operator, kept", kept, LARGE, false, false},
    {"one of two", two_at_once, LARGE, false, false},
    {"no count", no_count, LONG, false, false},
    {"no root", no_root, LONG, false, false},
    {"one buffer", one_buffer, LARGE, false, false},
};

/* What nobody waits for is noticed in a later operation, which is done all the same. */
static int afterwards(void)
{
    int me = world_rank(), size = world_size(), give[MOST], got[MOST], rc[2];
    for (int i = 0; i < size; i++)
        give[i] = me * size + i;
    MPI_Request q;
    MPI_Ialltoall(give, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD, &q);
    rc[0] = waited(&q);
    for (int i = 0; i < size; i++)
        CHECK_EQ(got[i], i * size + me);
    MPI_Ibarrier(MPI_COMM_WORLD, &q);
    rc[1] = waited(&q);
    for (int i = 0; i < 2; i++)
        CHECK(rc[i] == MPI_SUCCESS || rc[i] == MPI_ERR_OTHER);
    return rc[0] != MPI_SUCCESS || rc[1] != MPI_SUCCESS;
}

/* So long that all others wait by then. */
static void come_late(void)
{
    for (double end = MPI_Wtime() + LATE; MPI_Wtime() < end;)
        ;
}

/* late: the rank that comes late to it. What it has not taken then comes to it at once. */
static void disagree(const struct way *w, int n, int late, MPI_Comm count)
{
    int me = world_rank(), errors = 0, size = world_size();
    for (int i = 0; i < 2 * LONG; i++)
        in[i] = me == 0 ? i + 1 : -1;
    if (me == late)
        come_late();
    int failed = w->run(me == size - 1, n) != MPI_SUCCESS;
    for (int i = 0; w->bcast && !failed && i < n; i++)
        CHECK_EQ(in[i], i + 1);
    failed |= afterwards();
    CHECK_EQ(MPI_Allreduce(&failed, &errors, 1, MPI_INT, MPI_SUM, count), MPI_SUCCESS);
    if (!errors)
        fprintf(stderr, "%s, %d%s: nobody noticed\n", w->name, n, late == NOBODY ? "" : ", late");
    CHECK(errors > 0);
    CHECK_EQ(afterwards(), 0);
    CHECK_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 20, 100, LARGE, LONG};
    MPI_Comm count;
    MPI_Init(&argc, &argv);
    CHECK(argc > 1);
    bool all = strcmp(argv[1], "all") == 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &count);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        for (int k = 0; k < 5; k++)
            if (sizes[k] <= ways[i].most && (all || !ways[i].layer) &&
                (argc < 3 || atoi(argv[2]) == (int)i)) {
                disagree(&ways[i], sizes[k], NOBODY, count);
                for (int r = 0; r < world_size() && sizes[k] == ways[i].most; r++)
                    disagree(&ways[i], sizes[k], r, count);
            }
    MPI_Comm_free(&count);
    MPI_Finalize();
    return 0;
}
