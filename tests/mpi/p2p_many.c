/* SPDX-License-Identifier: MIT */
/* Very many requests outstanding at once: p2p_many [requests]. */
#include "check.h"

/* Every other rank sends to the one before it; tags repeat, so order matters. */
static void exchange(int rank, int size, int n, int backwards)
{
    int peer = rank ^ 1;
    if (peer >= size)
        return;
    MPI_Request *q = malloc((size_t)n * sizeof *q);
    int *data = malloc((size_t)n * sizeof *data);
    for (int i = 0; i < n; i++) {
        int k = backwards && rank % 2 ? n - 1 - i : i;
        if (rank % 2 == 0) {
            data[k] = k;
            MPI_Isend(&data[k], 1, MPI_INT, peer, k % 1000, MPI_COMM_WORLD, &q[k]);
        } else {
            data[k] = -1;
            MPI_Irecv(&data[k], 1, MPI_INT, peer, k % 1000, MPI_COMM_WORLD, &q[k]);
        }
    }
    CHECK_EQ(MPI_Waitall(n, q, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    for (int i = 0; i < n && !backwards; i++)
        CHECK_EQ(data[i], i);
    free(q);
    free(data);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 10000;
    exchange(world_rank(), world_size(), n, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    exchange(world_rank(), world_size(), n < 5000 ? n : 5000, 1);
    MPI_Finalize();
    return 0;
}
