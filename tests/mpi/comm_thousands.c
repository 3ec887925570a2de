/* SPDX-License-Identifier: MIT */
/* Communicators that are kept: to make one takes as long when thousands exist, and all of them
 * work: comm_thousands [how many]. */
#include "check.h"

enum { BLOCK = 1000, BLOCKS_MOST = 32 };

static MPI_Comm kept[BLOCKS_MOST * BLOCK];

static double make(MPI_Comm *comm)
{
    double began = MPI_Wtime();
    for (int i = 0; i < BLOCK; i++)
        CHECK_EQ(MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]), MPI_SUCCESS);
    return MPI_Wtime() - began;
}

/* The fastest of three neighbours: the computer has others to serve. */
static double fastest(const double *time)
{
    double t = time[0];
    for (int i = 1; i < 3; i++)
        t = time[i] < t ? time[i] : t;
    return t;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int blocks = argc > 1 ? atoi(argv[1]) / BLOCK : 20;
    CHECK(blocks >= 6 && blocks <= BLOCKS_MOST);
    double time[BLOCKS_MOST];
    for (int b = 0; b < blocks; b++)
        time[b] = make(&kept[b * BLOCK]);
    double few = fastest(time), many = fastest(&time[blocks - 3]);
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
    for (int i = 0; i < blocks * BLOCK; i++)
        CHECK_EQ(MPI_Comm_free(&kept[i]), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
