/* SPDX-License-Identifier: MIT */
/* A token goes round and collects one from each rank; rank 0 tells what it found and how long a
 * step took.
 *     mpicc ring.c -o ring && mpiexec -n 4 ./ring 100
 *     mpiexec -n 192 --machine mppa256 ./ring
 */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rounds = argc > 1 ? atoi(argv[1]) : 10;
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    double begin = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
        if (rank > 0)
            MPI_Recv(&token, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        token++;
        MPI_Send(&token, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Recv(&token, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    double took = MPI_Wtime() - begin;
    if (rank == 0)
        printf("%d ranks, %d rounds: token %d, %.3f us a step\n", size, rounds, token,
               took * 1e6 / rounds / size);
    MPI_Finalize();
    return rank == 0 && token != rounds * size;
}
