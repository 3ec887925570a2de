/* SPDX-License-Identifier: MIT */
/* Each rank says who and where it is.
 *     mpicc hello.c -o hello && mpiexec -n 4 ./hello */
#include <stdio.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, len;
    char where[MPI_MAX_PROCESSOR_NAME];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_processor_name(where, &len);
    printf("rank %d of %d on %s\n", rank, size, where);
    MPI_Finalize();
    return 0;
}
