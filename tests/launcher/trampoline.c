/* SPDX-License-Identifier: MIT */
/* A function that is made on the stack, as compilers make them to pass the address of one that lies
 * inside another one (GNU C, internal procedures of Fortran). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int seven(void)
{
    return 7;
}

int main(int argc, char **argv)
{
    int (*volatile function)(void) = seven, rank;
    _Alignas(16) char made[32]; /* more than it has */
    void *volatile at = made, *code;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memcpy(&code, (const void *)&function, sizeof code);
    memcpy(at, code, sizeof made);
    __builtin___clear_cache(made, made + sizeof made);
    memcpy((void *)&function, (const void *)&at, sizeof function);
    printf("%d\n", function() + rank);
    MPI_Finalize();
    return 0;
}
