/* SPDX-License-Identifier: MIT */
/* Defect 7 of the ancestor: the end failed when messages had come that nobody asked for. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size();
    for (int i = 0; i < 5; i++)
        MPI_Send(&i, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD);
    CHECK_EQ(MPI_Finalize(), MPI_SUCCESS);
    return 0;
}
