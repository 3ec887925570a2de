/* SPDX-License-Identifier: MIT */
/* Defect 5 of the ancestor: a wake-up could be lost between looking and waiting. Pairs bounce a
 * word often. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size(), peer = rank ^ 1;
    int rounds = argc > 1 ? atoi(argv[1]) : 2000;
    for (int i = 0; i < rounds && peer < size; i++) {
        int word = 2 * i + rank % 2, big[64] = {word};
        int n = i % 3 ? 1 : 64;
        if (rank % 2 == 0)
            MPI_Send(big, n, MPI_INT, peer, 0, MPI_COMM_WORLD);
        MPI_Recv(big, n, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQ(big[0], 2 * i + 1 - rank % 2);
        big[0] = word;
        if (rank % 2)
            MPI_Send(big, n, MPI_INT, peer, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
