/* SPDX-License-Identifier: MIT */
/* The only collective is one whose other ranks need nobody, so they are in MPI_Finalize while those
 * of the last cluster have not come to it: what ranks tell each other there is no part of it. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "check.h"

int main(int argc, char **argv)
{
    int one = 1, sum = 0;
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size();
    if (rank == size - 1)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = 50000000}, NULL);
    CHECK_EQ(MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    CHECK_EQ(sum, rank == 0 ? size : 0);
    MPI_Finalize();
    return 0;
}
