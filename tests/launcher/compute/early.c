/* SPDX-License-Identifier: MIT */
/* Computes much before main, which takes no time, and little in it. */
#include <mpi.h>

static volatile unsigned sum;

static __attribute__((constructor)) void begin(void)
{
    for (unsigned i = 0; i < 50000000; i++)
        sum += i;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (unsigned i = 0; i < 1000; i++)
        sum += i;
    MPI_Finalize();
    return 0;
}
