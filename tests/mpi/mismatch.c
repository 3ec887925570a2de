/* SPDX-License-Identifier: MIT */
/* The last rank disagrees with the others about a collective operation: somebody gets an error,
 * who gets none has what the root gave, nobody waits for ever, and afterwards all is as before.
 * Other operations and roots are noticed where all ranks meet in the memory of one cluster. */
#include <stdbool.h>

#include "check.h"

#define LARGE 600 /* ints: more than ranks of a cluster pass on in its memory */
#define MOST  16  /* ranks */

static int in[2 * LARGE * MOST], out[2 * LARGE * MOST];

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

struct way {
    const char *name;
    int (*run)(int odd, int n);
    int most;      /* ints */
    bool together; /* in one cluster only */
    bool bcast;
};

static const struct way ways[] = {
    {"more to broadcast", bcast_more, LARGE, false, true},
    {"less to broadcast", bcast_less, LARGE, false, true},
    {"more to reduce for all", allreduce, LARGE, false, false},
    {"more to reduce", reduce, LARGE, false, false},
    {"more to gather", gather, LARGE, false, false},
    {"more to scatter", scatter, LARGE, false, false},
    {"more to exchange", alltoall, LARGE, false, false},
    {"more to gather for all", allgather, 20, false, false},
    {"another operation", operations, 20, true, false},
    {"another root", roots, 20, true, false},
    {"no barrier", barrier, 20, true, false},
    {"another operator", ops, 20, true, false},
};

static bool all_together(void)
{
    MPI_Comm cluster;
    int n;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &cluster);
    MPI_Comm_size(cluster, &n);
    MPI_Comm_free(&cluster);
    return n == world_size();
}

static void disagree(const struct way *w, int n)
{
    int me = world_rank(), errors = 0;
    for (int i = 0; i < 2 * LARGE * MOST; i++)
        in[i] = me == 0 ? i + 1 : -1;
    int failed = w->run(me == world_size() - 1, n) != MPI_SUCCESS;
    for (int i = 0; w->bcast && !failed && i < n; i++)
        CHECK_EQ(in[i], i + 1);
    CHECK_EQ(MPI_Allreduce(&failed, &errors, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    if (!errors)
        fprintf(stderr, "%s, %d: nobody noticed\n", w->name, n);
    CHECK(errors > 0);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 20, LARGE};
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    bool together = all_together();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        for (int k = 0; k < 3; k++)
            if (sizes[k] <= ways[i].most && (together || !ways[i].together))
                disagree(&ways[i], sizes[k]);
    MPI_Finalize();
    return 0;
}
