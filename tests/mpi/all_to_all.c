/* SPDX-License-Identifier: MIT */
/* Every rank with every other, all sizes, in an order that blocking calls allow: in round k rank
 * r meets rank k - r, the lower one sends first. */
#include "check.h"
#include "sizes.h"

static void meet(unsigned char *buf, int rank, int peer, int size, int n)
{
    for (int turn = 0; turn < 2; turn++) {
        if ((rank < peer) == (turn == 0)) {
            fill(buf, size, rank, n);
            MPI_Send(buf, size, MPI_BYTE, peer, n, MPI_COMM_WORLD);
        } else {
            MPI_Recv(buf, size, MPI_BYTE, peer, n, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check_filled(buf, size, peer, n);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size();
    unsigned char *buf = malloc(SIZE_MAX_TESTED); /* ranks may share their process */
    for (int i = 0; i < SIZES && (size <= 16 || sizes[i] <= 128); i++) {
        for (int k = 0; k < size; k++) {
            int peer = (k - rank + size) % size;
            if (peer != rank)
                meet(buf, rank, peer, sizes[i], i);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(buf);
    MPI_Finalize();
    return 0;
}
