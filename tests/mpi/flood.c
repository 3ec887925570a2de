/* SPDX-License-Identifier: MIT */
/* The ancestor: more unexpected messages than fit ended in an error. Rank 0 asks for the
 * messages of all others in the order opposite to their arrival. A program may not rely on so much
 * memory, but where there is room it works. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size(), messages = argc > 1 ? atoi(argv[1]) : 150;
    unsigned char buf[80];
    if (rank) {
        for (int n = 0; n < messages; n++) {
            fill(buf, sizeof buf, rank, n);
            MPI_Send(buf, sizeof buf, MPI_BYTE, 0, n % 3, MPI_COMM_WORLD);
        }
    }
    for (int from = size - 1; rank == 0 && from > 0; from--)
        for (int tag = 2; tag >= 0; tag--)
            for (int n = tag; n < messages; n += 3) {
                MPI_Recv(buf, sizeof buf, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                check_filled(buf, sizeof buf, from, n);
            }
    MPI_Finalize();
    return 0;
}
