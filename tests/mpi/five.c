/* SPDX-License-Identifier: MIT */
/* Send, Recv, Bcast, Reduce, Barrier: the program whose size has a budget. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int me = world_rank(), n = world_size(), word = me, sum = 0;
    if (me > 0)
        MPI_Recv(&word, 1, MPI_INT, me - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQ(word, 0);
    if (me + 1 < n)
        MPI_Send(&word, 1, MPI_INT, me + 1, 0, MPI_COMM_WORLD);
    if (me == 0)
        word = 7;
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(&word, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    CHECK_EQ(sum, me == 0 ? 7 * n : 0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
