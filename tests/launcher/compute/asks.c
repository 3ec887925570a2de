/* SPDX-License-Identifier: MIT */
/* Asks the library locked.c for the time, also before main. Prints its rank and when it began. */
#include <mpi.h>
#include <stdio.h>

double locked_seconds(void);

static double began;
static _Thread_local int number;

static __attribute__((constructor)) void begin(void)
{
    began = locked_seconds();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    double last = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    number = rank;
    for (int i = 0; i < 100; i++) {
        double now = locked_seconds();
        if (number != rank || now < last || MPI_Wtime() < now - 1e-5)
            printf("%d: %d at %.9f, after %.9f\n", rank, number, now, last);
        last = now;
    }
    printf("%d %.9f\n", rank, began);
    return MPI_Finalize();
}
