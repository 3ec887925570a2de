/* SPDX-License-Identifier: MIT */
/* A function registered with atexit talks to the other ranks and calls MPI_Finalize, as destructors
 * of static objects do in C++: main has returned by then, or the rank has called exit. It runs
 * once, with the rank's own variables. */
#include <stdlib.h>

#include "check.h"

static int rank = -1, runs;

static void at_end(void)
{
    int over = 1, sum = -1, size = 0;
    CHECK_EQ(++runs, 1);
    MPI_Finalized(&over);
    CHECK_EQ(over, 0);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQ(sum, size * (size - 1) / 2);
    MPI_Finalize();
}

/* Functions run in the reverse order of their registration. */
static void before(void)
{
    CHECK_EQ(runs, 0);
}

int main(int argc, char **argv)
{
    atexit(at_end);
    atexit(before);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank % 2 == 1)
        exit(0);
    return 0;
}
