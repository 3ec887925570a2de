/* SPDX-License-Identifier: MIT */
/* A program with a megabyte of variables: one rank of it fits a cluster of 2 MB, two do not. */
#include "check.h"

static char matrix[1 << 20];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, (int *)(void *)matrix);
    CHECK(matrix[sizeof matrix - 1] == 0);
    char *rest = malloc(sizeof matrix);
    CHECK(!rest == (argc < 2)); /* with an argument there is room for as much once more */
    free(rest);
    MPI_Finalize();
    return 0;
}
