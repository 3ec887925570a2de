/* SPDX-License-Identifier: MIT */
/* Programs that look at the clock, or ask for messages, instead of waiting: time must pass for them
 * where it is virtual, too, in a few thousand calls. Argument: seconds. */
#include <stdlib.h>

#include "check.h"

enum { TAG = 7, NUMBER = 42 };

/* Rank 0 lets the others wait for `seconds`. */
static void by_clock(double seconds)
{
    double begin = MPI_Wtime(), now = begin;

    while (now < begin + seconds) {
        double next = MPI_Wtime();
        CHECK(next >= now);
        now = next;
    }
}

static void by_probe(void)
{
    int there = 0, value = 0;

    while (!there)
        MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQ(value, NUMBER);
}

static void by_test(void)
{
    int done = 0, value = 0;
    MPI_Request q;

    MPI_Irecv(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, &q);
    while (!done)
        MPI_Test(&q, &done, MPI_STATUS_IGNORE);
    CHECK_EQ(value, NUMBER);
}

int main(int argc, char **argv)
{
    int rank, ranks, value = NUMBER;
    double seconds;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    CHECK_EQ(argc, 2);
    seconds = atof(argv[1]);
    double begin = MPI_Wtime();
    if (rank == 0) {
        by_clock(seconds);
        for (int i = 1; i < ranks; i++)
            MPI_Send(&value, 1, MPI_INT, i, TAG, MPI_COMM_WORLD);
    } else if (rank % 2) {
        by_probe();
    } else {
        by_test();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) /* others may have come later: a rank of the same core computes */
        CHECK(MPI_Wtime() - begin >= seconds);
    MPI_Finalize();
    return 0;
}
