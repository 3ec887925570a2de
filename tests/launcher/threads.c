/* SPDX-License-Identifier: MIT */
/* threads N: two threads of rank 0 wait at the same time, N times, for what rank 1 sends late. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <mpi.h>

static int times;

static void *receive(void *tag)
{
    int x;
    for (int i = 0; i < times; i++)
        MPI_Recv(&x, 1, MPI_INT, 1, *(int *)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, rank, tags[2] = {7, 8};
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    times = atoi(argv[1]);
    if (rank == 0) {
        pthread_create(&thread, NULL, receive, &tags[0]);
        usleep(2000); /* calls before other ranks on the core go on */
        receive(&tags[1]);
        pthread_join(thread, NULL);
    }
    for (int i = 0; rank == 1 && i < times; i++) {
        usleep(2000);
        MPI_Send(&i, 1, MPI_INT, 0, tags[0], MPI_COMM_WORLD);
        MPI_Send(&i, 1, MPI_INT, 0, tags[1], MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
