/* SPDX-License-Identifier: MIT */
/* A program that is safe, because it needs no buffering at all, ends however small the memory
 * is: all others send much to rank 0, which takes everything from the last rank first, and so
 * on. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size(), messages = argc > 1 ? atoi(argv[1]) : 3000;
    unsigned char buf[96];
    for (int n = 0; rank && n < messages; n++) {
        fill(buf, sizeof buf, rank, n);
        MPI_Send(buf, sizeof buf, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    for (int from = size - 1; rank == 0 && from > 0; from--)
        for (int n = 0; n < messages; n++) {
            MPI_Recv(buf, sizeof buf, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check_filled(buf, sizeof buf, from, n);
        }
    MPI_Finalize();
    return 0;
}
