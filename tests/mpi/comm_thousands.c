/* SPDX-License-Identifier: MIT */
/* Communicators that are kept: to make one takes as long when thousands exist, and all of them
 * work: comm_thousands [how many]. */
#include "check.h"

enum { BLOCK = 1000, BLOCKS_MOST = 32, TRIES = 30 };

static MPI_Comm kept[BLOCKS_MOST * BLOCK];

static double make(MPI_Comm *comm)
{
    double began = MPI_Wtime();
    for (int i = 0; i < BLOCK; i++)
        CHECK_EQ(MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]), MPI_SUCCESS);
    return MPI_Wtime() - began;
}

static void unmake(MPI_Comm *comm, int n)
{
    for (int i = 0; i < n; i++)
        CHECK_EQ(MPI_Comm_free(&comm[i]), MPI_SUCCESS);
}

/* The computer has others to serve: if a block took longer it is made again, and the fastest time
 * counts. All ranks do the same. */
static double fastest(MPI_Comm *comm, double time, double enough)
{
    for (int i = 0; i < TRIES; i++) {
        double slowest;
        MPI_Allreduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (slowest <= enough)
            break;
        unmake(comm, BLOCK);
        double again = make(comm);
        time = again < time ? again : time;
    }
    return time;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int blocks = argc > 1 ? atoi(argv[1]) / BLOCK : 20;
    CHECK(blocks >= 6 && blocks <= BLOCKS_MOST);
    double time[BLOCKS_MOST], few, many;
    for (int b = 0; b < blocks; b++)
        time[b] = make(&kept[b * BLOCK]);
    MPI_Allreduce(&time[0], &few, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    many = fastest(&kept[(blocks - 1) * BLOCK], time[blocks - 1], 5 * few);
    if (many > 5 * few) {
        fprintf(stderr, "%d communicators took %.6f s at first, %.6f s when %d existed\n", BLOCK,
                few, many, (blocks - 1) * BLOCK);
        return 1;
    }
    for (int i = 0; i < blocks * BLOCK; i += i % 7 + 1) {
        int sum = 0, one = 1;
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, kept[i]);
        CHECK_EQ(sum, world_size());
    }
    unmake(kept, blocks * BLOCK);
    MPI_Finalize();
    return 0;
}
