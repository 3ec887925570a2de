/* SPDX-License-Identifier: MIT */
/* Numbers of collective operations are given again after 2^22 of them: one that failed concerns
 * neither that which has its number later nor those around. */
#include "check.h"

int main(int argc, char **argv)
{
    enum { BEFORE = 3 };
    long more = (1L << 22) + 20000;
    int x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < BEFORE; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    CHECK(MPI_Bcast(&x, 1, MPI_INT, world_rank() ? 0 : -5, MPI_COMM_WORLD) != MPI_SUCCESS);
    for (long i = 0; i < more; i++)
        CHECK_EQ(i % 2 ? MPI_Barrier(MPI_COMM_WORLD) : MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD),
                 MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
