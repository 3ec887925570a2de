/* SPDX-License-Identifier: MIT */
/* Messages sent lazily: their sender goes on at once, may change the buffer, and computes; they are
 * all there, though each but the first has to be asked for, and in another order than that of
 * sending, long before the sender calls MPI again. All ranks have one clock, of argv[1]
 * cycles per second. */
#include "check.h"
#include "sizes.h"

#define BYTES   1000
#define COPIES  3    /* what the memory for copies holds */
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
            for (int k = 0; k < COPIES; k++) {
                fill(buf, BYTES, k, i);
                MPI_Send(buf, BYTES, MPI_BYTE, 1, k, MPI_COMM_WORLD);
            }
            CHECK(MPI_Wtime() - before < COMPUTE / 10);
            fill(buf, BYTES, 5, i);
            MPI_Pcontrol(MPIX_PCONTROL_WORK, COMPUTE * atof(argv[1]));
            computed = MPI_Wtime();
            MPI_Recv(&came, 1, MPI_DOUBLE, 1, COPIES, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(came < computed - COMPUTE / 2);
        } else {
            for (int k = COPIES; k-- > 0;) {
                MPI_Recv(buf, BYTES, MPI_BYTE, 0, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                check_filled(buf, BYTES, k, i);
            }
            came = MPI_Wtime();
            MPI_Send(&came, 1, MPI_DOUBLE, 0, COPIES, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
