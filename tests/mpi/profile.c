/* SPDX-License-Identifier: MIT */
/* The profiling interface: the program's own MPI_Send takes the place of the library's, and
 * adds one to the tag. */
#include "check.h"

int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    return PMPI_Send(buf, count, type, dest, tag + 1, comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), word = 7;
    MPI_Send(&word, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
    PMPI_Recv(&word, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQ(word, 7);
    MPI_Finalize();
    return 0;
}
