/* SPDX-License-Identifier: MIT */
/* A message sent lazily: its sender goes on at once, may change the buffer, and computes; the
 * message is there long before the sender calls MPI again. All ranks have one clock, of argv[1]
 * cycles per second. */
#include "check.h"
#include "sizes.h"

#define BYTES   1000
#define COMPUTE 1e-3 /* seconds */

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    unsigned char buf[BYTES];
    double came, before, computed;
    for (int i = 0; i < 3; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (world_rank() == 0) {
            before = MPI_Wtime();
            fill(buf, BYTES, 0, i);
            MPI_Send(buf, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            CHECK(MPI_Wtime() - before < COMPUTE / 10);
            fill(buf, BYTES, 5, i);
            MPI_Pcontrol(MPIX_PCONTROL_WORK, COMPUTE * atof(argv[1]));
            computed = MPI_Wtime();
            MPI_Recv(&came, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(came < computed - COMPUTE / 2);
        } else {
            MPI_Recv(buf, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            came = MPI_Wtime();
            check_filled(buf, BYTES, 0, i);
            MPI_Send(&came, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
