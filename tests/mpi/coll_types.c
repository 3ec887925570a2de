/* SPDX-License-Identifier: MIT */
/* The last rank takes the elements of a collective for others of the same size: somebody gets an
 * error, nobody waits for ever, and afterwards all is as before. Types that say the same in other
 * words are no error, nor are bytes. */
#include "check.h"

#define MOST 16 /* ranks */
#define LONG 20000

static int in[LONG * 4], out[LONG * 4], counts[MOST], starts[MOST];
static MPI_Comm world = MPI_COMM_WORLD;

static int bcast(int n, MPI_Datatype t)
{
    return MPI_Bcast(in, n, t, 0, world);
}

static int allreduce(int n, MPI_Datatype t)
{
    return MPI_Allreduce(in, out, n, t, MPI_SUM, world);
}

static int reduce(int n, MPI_Datatype t)
{
    return MPI_Reduce(in, out, n, t, MPI_SUM, 0, world);
}

static int scan(int n, MPI_Datatype t)
{
    return MPI_Scan(in, out, n, t, MPI_SUM, world);
}

static int reduce_scatter(int n, MPI_Datatype t)
{
    return MPI_Reduce_scatter_block(in, out, n, t, MPI_SUM, world);
}

static int gather(int n, MPI_Datatype t)
{
    return MPI_Gather(in, n, t, out, n, t, 0, world);
}

static int gatherv(int n, MPI_Datatype t)
{
    return MPI_Gatherv(in, n, t, out, counts, starts, t, 0, world);
}

static int scatter(int n, MPI_Datatype t)
{
    return MPI_Scatter(in, n, t, out, n, t, 0, world);
}

static int allgather(int n, MPI_Datatype t)
{
    return MPI_Allgather(in, n, t, out, n, t, world);
}

static int alltoall(int n, MPI_Datatype t)
{
    return MPI_Alltoall(in, n, t, out, n, t, world);
}

static int ibcast(int n, MPI_Datatype t)
{
    MPI_Request q;
    MPI_Ibcast(in, n, t, 0, world, &q);
    return MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static int iallgather(int n, MPI_Datatype t)
{
    MPI_Request q;
    MPI_Iallgather(in, n, t, out, n, t, world, &q);
    return MPI_Wait(&q, MPI_STATUS_IGNORE);
}

struct way {
    const char *name;
    int (*run)(int n, MPI_Datatype t);
    int reduces, once; /* once: n elements in all, not from each */
};

static const struct way ways[] = {
    {"bcast", bcast, 0, 1},
    {"ibcast", ibcast, 0, 1},
    {"allreduce", allreduce, 1, 1},
    {"reduce", reduce, 1, 1},
    {"scan", scan, 1, 1},
    {"reduce_scatter", reduce_scatter, 1, 0},
    {"gather", gather, 0, 0},
    {"gatherv", gatherv, 0, 0},
    {"scatter", scatter, 0, 0},
    {"allgather", allgather, 0, 0},
    {"iallgather", iallgather, 0, 0},
    {"alltoall", alltoall, 0, 0},
};

/* How many ranks had an error. */
static int errors(const struct way *w, int n, MPI_Datatype odd)
{
    int me = world_rank(), sum = 0, all = w->once ? n : n * world_size();
    for (int i = 0; i < MOST; i++) {
        counts[i] = n;
        starts[i] = i * n;
    }
    for (int i = 0; i < all; i++)
        in[i] = me ? 0 : i;
    int rc = w->run(n, me == world_size() - 1 ? odd : MPI_INT), failed = rc != MPI_SUCCESS;
    if (w->run == bcast && me < world_size() - 1)
        CHECK_EQ(rc, MPI_SUCCESS);
    if (w->run == bcast && me == world_size() - 1)
        CHECK_EQ(rc, odd == MPI_FLOAT ? MPI_ERR_TYPE : MPI_SUCCESS);
    for (int i = 0; w->run == bcast && !failed && i < n; i++)
        CHECK_EQ(in[i], i);
    CHECK_EQ(MPI_Allreduce(&failed, &sum, 1, MPI_INT, MPI_SUM, world), MPI_SUCCESS);
    return sum;
}

static void try(const struct way *w, int n)
{
    int wrong = errors(w, n, MPI_FLOAT), same = errors(w, n, MPI_UNSIGNED);
    if (!wrong || same)
        fprintf(stderr, "%s of %d: %d ranks noticed, %d wrongly\n", w->name, n, wrong, same);
    CHECK(wrong > 0 && same == 0);
    CHECK_EQ(errors(w, n, MPI_INT), 0);
}

/* Bytes say nothing of what they are. */
static void bytes(void)
{
    int me = world_rank(), last = me == world_size() - 1;
    for (int n = 1; n < LONG; n *= 30) {
        int part = n < 1000 ? n : 1000;
        MPI_Datatype t = last ? MPI_BYTE : MPI_INT;
        int count = last ? 4 * n : n, few = last ? 4 * part : part;
        CHECK_EQ(MPI_Bcast(in, count, t, 0, world), MPI_SUCCESS);
        CHECK_EQ(MPI_Gather(in, few, t, out, few, t, 0, world), MPI_SUCCESS);
        CHECK_EQ(MPI_Allgather(in, few, t, out, few, t, world), MPI_SUCCESS);
    }
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 20, 600, LONG};
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        for (int k = 0; k < 4; k++)
            if (sizes[k] * (ways[i].once ? 1 : world_size()) <= 4 * LONG)
                try(&ways[i], sizes[k]);
    bytes();
    MPI_Finalize();
    return 0;
}
