/* SPDX-License-Identifier: MIT */
/* ranks ROUNDS: rank r computes r + 1 times as long as rank 0 and prints for how long. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    long rounds = argc > 1 ? atol(argv[1]) : 100000;
    volatile unsigned sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double begin = MPI_Wtime();
    for (long i = 0; i < rounds * (rank + 1); i++)
        sum += (unsigned)i;
    printf("%d %.9f\n", rank, MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
