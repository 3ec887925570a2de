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
    kernel_strings, kernel_prefixes, kernel_searches, kernel_finds, kernel_calls, kernel_recurs,
    kernel_branches, kernel_apart, kernel_jumps, kernel_spared;

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

static void copy_into_room(long bytes, void *to)
{
    __builtin___memcpy_chk(to, other, (size_t)bytes, sizeof memory - (size_t)(bytes & 1));
}

/* It only has the name of one of the C library's functions. */
static __attribute__((noinline)) long cbrt_of_own(long x) __asm__("cbrt");
static __attribute__((noinline)) long cbrt_of_own(long x)
{
    __asm__ volatile("" : "+r"(x));
    return x;
}

static void names(long rounds, void *at)
{
    long *x = at;
    for (long i = 0; i < rounds; i++)
        *x = cbrt_of_own(*x);
}

/* Where nothing can be counted in it, it must still do what it does. */
static void intel(long rounds, void *at)
{
    long sum = 0, *x = at;
    for (long i = 0; i < rounds; i++) {
        long n = 10;
        __asm__ volatile(".intel_syntax noprefix\n"
                         "1: add rax, rcx\n"
                         "dec rcx\n"
                         "jnz 1b\n"
                         ".att_syntax prefix"
                         : "+a"(sum), "+c"(n)
                         :
                         : "cc");
    }
    *x = sum;
    if (sum != 55 * rounds)
        abort();
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
               {"branches", kernel_branches},
               {"apart", kernel_apart},
               {"jumps", kernel_jumps},
               {"spared", kernel_spared},
               {"copy", copy},
               {"copy into room", copy_into_room},
               {"names", names},
               {"intel", intel},
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
