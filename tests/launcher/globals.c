/* SPDX-License-Identifier: MIT */
/* Writable variables of every kind that ranks of one process would share. */
#include <mpi.h>
#include <stdio.h>

int counter = 3;
static volatile double table[100];
static const int constant = 7;
static const char *const names[] = {"constant", "pointers"};

static int next(void)
{
    static int calls;
    return ++calls;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    table[argc] = counter++;
    fprintf(stdout, "%g %d %s\n", table[argc] + constant, next(), names[argc & 1]);
    MPI_Finalize();
    return 0;
}
