/* SPDX-License-Identifier: MIT */
/* Two ranks that wait for each other for ever: stuck CASE. */
#include <mpi.h>
#include <string.h>

/* Rank 1 waits for one of two messages, of which none comes, but a third one. */
static void either(int rank)
{
    int x[2] = {0}, which;
    MPI_Request two[2];
    if (rank == 0)
        MPI_Send(x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&x[i], 1, MPI_INT, 1 - rank, 4 + i, MPI_COMM_WORLD, &two[i]);
    if (rank == 1)
        MPI_Waitany(2, two, &which, MPI_STATUS_IGNORE);
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
}

/* Rank 1 does not come where rank 0 makes a communicator. */
static void duplicate(int rank)
{
    MPI_Comm made;
    int x;
    if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && strcmp(argv[1], "either") == 0)
        either(rank);
    else
        duplicate(rank);
    MPI_Finalize();
    return 0;
}
