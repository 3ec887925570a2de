/* SPDX-License-Identifier: MIT */
/* Rank 0 sends 100 messages to rank 1, which takes the last one first (slots stuck), or after a
 * message that comes from the last rank, which rank 0 sent something after the 100 (slots). */
#include <mpi.h>
#include <string.h>

#define MANY 100

int main(int argc, char **argv)
{
    int rank, size, data[MANY] = {0}, x = 0;
    MPI_Request all[MANY + 1];
    MPI_Init(&argc, &argv);
    int stuck = argc > 1 && strcmp(argv[1], "stuck") == 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 0; i < MANY; i++)
            MPI_Isend(&data[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &all[i]);
        MPI_Isend(&x, 1, MPI_INT, size - 1, MANY, MPI_COMM_WORLD, &all[MANY]);
        MPI_Waitall(MANY + 1, all, MPI_STATUSES_IGNORE);
    }
    if (rank == size - 1) {
        MPI_Recv(&x, 1, MPI_INT, 0, MANY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Recv(&x, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < MANY; i++)
            MPI_Recv(&x, 1, MPI_INT, 0, stuck ? MANY - 1 - i : i, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
