/* SPDX-License-Identifier: MIT */
/* What a debugger is to find: each of four ranks waits in another call, as rank 3 stops. The tests
 * find lines by their comments. */
#include <mpi.h>
#include <unistd.h>

int visible[2];
static int global;

static int receive(int from)
{
    int got, local = 100 + from;
    MPI_Recv(&got, 1, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* receives */
    return got + local;
}

static void ask(int from)
{
    int there = 0, asked = 0;
    while (!there) {
        MPI_Iprobe(from, 6, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); /* asks */
        asked++;
    }
}

static int each(int rank)
{
    global = visible[1] = 1000 + rank;
    return global; /* each */
}

static int stop(int rank)
{
    int mine = 10 * rank;
    usleep(200000);
    global = mine; /* stops */
    mine += each(rank);
    return mine; /* leaves */
}

int main(int argc, char **argv)
{
    int rank, word = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    word += each(rank); /* begins */
    if (rank == 0)
        word += receive(3);
    if (rank == 2)
        ask(3);
    if (rank == 3) {
        word += stop(rank);
        MPI_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
        MPI_Send(&word, 0, MPI_INT, 2, 6, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* meets */
    MPI_Finalize();
    return 0;
}
