/* SPDX-License-Identifier: MIT */
/* Nobody leaves a barrier before everybody has come: each rank tells rank 0 when it came and
 * left by the clock, which is one for all ranks. A different rank is late in each round. */
#include "check.h"

#define ROUNDS 20

static void busy(void)
{
    double until = MPI_Wtime() + 20e-6;
    while (MPI_Wtime() < until)
        MPI_Pcontrol(MPIX_PCONTROL_WORK, 1000.0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size();
    double came[ROUNDS], left[ROUNDS], last[ROUNDS] = {0}, first[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        if (i % size == rank)
            busy();
        came[i] = MPI_Wtime();
        CHECK_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
        left[i] = MPI_Wtime();
        first[i] = 1e30;
    }
    MPI_Barrier(MPI_COMM_SELF);
    if (rank) {
        MPI_Send(came, ROUNDS, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
        MPI_Send(left, ROUNDS, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    }
    for (int r = 0; rank == 0 && r < size; r++) {
        if (r) {
            MPI_Recv(came, ROUNDS, MPI_DOUBLE, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(left, ROUNDS, MPI_DOUBLE, r, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < ROUNDS; i++) {
            last[i] = came[i] > last[i] ? came[i] : last[i];
            first[i] = left[i] < first[i] ? left[i] : first[i];
        }
    }
    for (int i = 0; rank == 0 && i < ROUNDS; i++)
        CHECK(last[i] <= first[i] + 1e-6);
    MPI_Finalize();
    return 0;
}
