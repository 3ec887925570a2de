/* SPDX-License-Identifier: MIT */
/* kernels NAME ROUNDS: runs one of the kernels. kernels copy BYTES, sine ROUNDS: functions of the
 * C library. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void kernel(long rounds, void *memory);
kernel kernel_integers, kernel_divides, kernel_scalars, kernel_vectors, kernel_crowded,
    kernel_strings, kernel_prefixes, kernel_searches, kernel_finds, kernel_calls, kernel_recurs;

static _Alignas(16) double memory[65536], other[65536];

static void copy(long bytes, void *to)
{
    memcpy(to, other, (size_t)bytes);
}

static void sine(long rounds, void *at)
{
    double *x = at;
    for (long i = 0; i < rounds; i++)
        *x = sin(*x);
}

static const struct {
    const char *name;
    kernel *run;
} kernels[] = {{"integers", kernel_integers},
               {"divides", kernel_divides},
               {"scalars", kernel_scalars},
               {"vectors", kernel_vectors},
               {"crowded", kernel_crowded},
               {"strings", kernel_strings},
               {"prefixes", kernel_prefixes},
               {"searches", kernel_searches},
               {"finds", kernel_finds},
               {"calls", kernel_calls},
               {"recurs", kernel_recurs},
               {"copy", copy},
               {"sine", sine}};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strcmp(kernels[i].name, argv[1]) == 0)
            kernels[i].run(atol(argv[2]), memory);
    MPI_Finalize();
    return 0;
}
