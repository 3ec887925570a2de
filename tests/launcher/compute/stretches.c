/* SPDX-License-Identifier: MIT */
/* stretches ROUNDS EVERY NS: two ranks pass 8 bytes to and fro, and in one round of EVERY each of
 * them computes for so many nanoseconds of this computer's, before it sends and before it receives.
 * Rank 0 writes the seconds of all that. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The computer's own clock; time() and its like answer with the machine's. */
static double used(void)
{
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double compute(double seconds)
{
    double begin = used(), now = begin;
    while (now - begin < seconds)
        now = used();
    return now - begin;
}

int main(int argc, char **argv)
{
    double told[2] = {0, 0}, own = 0, word = 0;
    MPI_Init(&argc, &argv);
    int rank, rounds = argc > 3 ? atoi(argv[1]) : 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2 * rounds; i++) {
        if (i / 2 % atoi(argv[2]) == 0)
            own += compute(atof(argv[3]) * 1e-9);
        if (i % 2 == rank)
            MPI_Send(&word, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(&word, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Gather(&own, 1, MPI_DOUBLE, told, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9f\n", told[0] + told[1]);
    MPI_Finalize();
    return 0;
}
