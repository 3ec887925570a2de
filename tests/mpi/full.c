/* SPDX-License-Identifier: MIT */
/* The program has taken most of its cluster's memory; messages that come before they are asked for
 * still find room, else nobody could go on. All exchange with all, two messages under way, those
 * who are ahead send what others do not yet want. Argument: KB of each rank. */
#include <stdlib.h>

#include "check.h"

enum { SIZE = 128, WINDOW = 2 };

static void exchange(int rank, int ranks)
{
    unsigned char out[SIZE], in[WINDOW][SIZE];
    MPI_Request q[WINDOW][2];

    fill(out, SIZE, rank, 0);
    for (int k = 1; k < ranks + WINDOW; k++) {
        int at = k % WINDOW, done = k - WINDOW;
        if (done > 0) {
            MPI_Waitall(2, q[at], MPI_STATUSES_IGNORE);
            check_filled(in[at], SIZE, (rank + ranks - done) % ranks, 0);
        }
        if (k >= ranks)
            continue;
        MPI_Irecv(in[at], SIZE, MPI_BYTE, (rank + ranks - k) % ranks, 0, MPI_COMM_WORLD, &q[at][0]);
        MPI_Isend(out, SIZE, MPI_BYTE, (rank + k) % ranks, 0, MPI_COMM_WORLD, &q[at][1]);
    }
}

int main(int argc, char **argv)
{
    int rank, ranks;
    void *taken;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    CHECK_EQ(argc, 2);
    MPI_Alloc_mem((MPI_Aint)atol(argv[1]) * 1024, MPI_INFO_NULL, &taken);
    for (int i = 0; i < 3; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        exchange(rank, ranks);
    }
    MPI_Free_mem(taken);
    MPI_Finalize();
    return 0;
}
