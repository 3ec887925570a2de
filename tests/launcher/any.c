/* SPDX-License-Identifier: MIT */
/* Rank 0 gets a message of each other rank, and works for each: any CASE TIMES. Which comes first
 * depends on who computes how long. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64

static int buffer[MOST];

static void work(double us)
{
    MPI_Pcontrol(MPIX_PCONTROL_WORK, 400 * us);
}

/* MPI_Waitany: each as it comes. */
static void each(int n, MPI_Request *all)
{
    int which;
    for (int i = 0; i < n; i++) {
        MPI_Waitany(n, all, &which, MPI_STATUS_IGNORE);
        work(60);
    }
}

/* MPI_Waitsome: all that are there. */
static void some(int n, MPI_Request *all)
{
    int got, which[MOST];
    for (int left = n; left > 0; left -= got) {
        MPI_Waitsome(n, all, &got, which, MPI_STATUSES_IGNORE);
        work(60 * got);
    }
}

/* MPI_Test, and something else to do until one is there, for which rank 1 takes long. */
static void otherwise(int n, MPI_Request *all)
{
    int there = 0;
    for (int i = 0; i < n; i++)
        for (there = 0; !there; work(there ? 60 : 10))
            MPI_Test(&all[i], &there, MPI_STATUS_IGNORE);
}

/* Rank 0 hands out work: who asks for some gets it. What rank 1 gets takes long. */
static void queue(int rank, int n, int times)
{
    MPI_Status status;
    int left = times * (n - 1), there, x = 0, more = 1;
    for (int out = 0; rank == 0 && out < times * (n - 1) + n - 1; out++, left--) {
        for (there = 0; !there;)
            MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
        MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        more = left > 0;
        MPI_Send(&more, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
    }
    while (rank > 0 && more) {
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&more, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(more == 0 ? 0 : rank == 1 ? 3000 : 100 + 11 * rank);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 2 ? argv[1] : "";
    int rank, n, times = argc > 2 ? atoi(argv[2]) : 0;
    MPI_Request all[MOST];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (strcmp(how, "queue") == 0) {
        queue(rank, n, times);
        times = 0;
    }
    for (int k = 0; k < times; k++) {
        for (int i = 1; rank == 0 && i < n; i++)
            MPI_Irecv(&buffer[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &all[i - 1]);
        if (strcmp(how, "otherwise") == 0)
            work(rank == 1 ? 2000 : 100);
        else
            work(rank == 0 ? 600 : 100 + 37 * (rank * (k + 5) % n));
        if (rank > 0)
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        else if (strcmp(how, "each") == 0)
            each(n - 1, all);
        else if (strcmp(how, "some") == 0)
            some(n - 1, all);
        else
            otherwise(n - 1, all);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
