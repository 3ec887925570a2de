/* SPDX-License-Identifier: MIT */
/* Nonblocking and persistent collectives whose arrays of counts and displacements are gone before
 * the operation begins. */
#include <string.h>

#include "check.h"

enum { TIMES = 3 };

struct arrays {
    int size, rank;
    int *counts, *displs;
};

/* n elements of every rank; what they become must not matter once the call has returned. */
static void give(struct arrays *a, int n)
{
    a->counts = malloc((size_t)a->size * sizeof(int));
    a->displs = malloc((size_t)a->size * sizeof(int));
    for (int i = 0; i < a->size; i++) {
        a->counts[i] = n;
        a->displs[i] = i * n;
    }
}

static void take_back(struct arrays *a)
{
    memset(a->counts, 0x7b, (size_t)a->size * sizeof(int));
    memset(a->displs, 0x7b, (size_t)a->size * sizeof(int));
    free(a->counts);
    free(a->displs);
}

static void check_gathered(const int *in, int size, int n)
{
    for (int i = 0; i < size * n; i++)
        CHECK_EQ(in[i], i / n * 100 + i % n);
}

static void fill_own(int *out, int rank, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = rank * 100 + i;
}

static void run(MPI_Request *q)
{
    MPI_Start(q);
    CHECK_EQ(MPI_Wait(q, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

/* Every rank makes them in the same order; each starts them in its own. */
static void check_start_order(int rank)
{
    int got = rank, sum = 0;
    MPI_Request q[3];
    MPI_Bcast_init(&got, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &q[1]);
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &q[2]);
    for (int t = 0; t < TIMES; t++) {
        got = rank == 0 ? 42 + t : -1;
        for (int i = 0; i < 3; i++)
            MPI_Start(&q[(rank + i) % 3]);
        CHECK_EQ(MPI_Waitall(3, q, MPI_STATUSES_IGNORE), MPI_SUCCESS);
        CHECK_EQ(got, 42 + t);
        CHECK_EQ(sum, world_size() - 1);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&q[i]);
}

static void check_allgatherv(struct arrays *a)
{
    enum { N = 4 };
    int size = a->size, rank = a->rank;
    int out[N], *in = calloc((size_t)(size * N), sizeof *in);
    MPI_Request q;
    fill_own(out, rank, N);
    give(a, N);
    MPI_Iallgatherv(out, N, MPI_INT, in, a->counts, a->displs, MPI_INT, MPI_COMM_WORLD, &q);
    take_back(a);
    CHECK_EQ(MPI_Wait(&q, MPI_STATUS_IGNORE), MPI_SUCCESS);
    check_gathered(in, size, N);
    give(a, N);
    MPI_Allgatherv_init(out, N, MPI_INT, in, a->counts, a->displs, MPI_INT, MPI_COMM_WORLD,
                        MPI_INFO_NULL, &q);
    take_back(a);
    for (int t = 0; t < TIMES; t++) {
        memset(in, 0, (size_t)(size * N) * sizeof *in);
        run(&q);
        check_gathered(in, size, N);
    }
    MPI_Request_free(&q);
    free(in);
}

static void check_alltoallv(struct arrays *a)
{
    int size = a->size, rank = a->rank;
    int *out = calloc((size_t)size, sizeof *out), *in = calloc((size_t)size, sizeof *in);
    MPI_Request q;
    for (int i = 0; i < size; i++)
        out[i] = rank * 100 + i;
    give(a, 1);
    MPI_Alltoallv_init(out, a->counts, a->displs, MPI_INT, in, a->counts, a->displs, MPI_INT,
                       MPI_COMM_WORLD, MPI_INFO_NULL, &q);
    take_back(a);
    for (int t = 0; t < TIMES; t++) {
        run(&q);
        for (int i = 0; i < size; i++)
            CHECK_EQ(in[i], i * 100 + rank);
    }
    MPI_Request_free(&q);
    free(out);
    free(in);
}

static void check_reduce_scatter(struct arrays *a)
{
    int size = a->size, rank = a->rank;
    int *out = calloc((size_t)size, sizeof *out), in = 0;
    MPI_Request q;
    for (int i = 0; i < size; i++)
        out[i] = rank + i;
    give(a, 1);
    MPI_Reduce_scatter_init(out, &in, a->counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                            &q);
    take_back(a);
    for (int t = 0; t < TIMES; t++) {
        run(&q);
        CHECK_EQ(in, size * (size - 1) / 2 + size * rank);
    }
    MPI_Request_free(&q);
    free(out);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct arrays a = {.size = world_size(), .rank = world_rank()};
    check_start_order(a.rank);
    check_allgatherv(&a);
    check_alltoallv(&a);
    check_reduce_scatter(&a);
    MPI_Finalize();
    return 0;
}
