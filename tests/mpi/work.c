/* SPDX-License-Identifier: MIT */
/* Modelled work: takes its time where time is virtual (argument: cycles per second), none where
 * it is real (no argument). Other levels of MPI_Pcontrol mean nothing. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double hz = argc > 1 ? atof(argv[1]) : 0, cycles = 4e9;
    double begin = MPI_Wtime();
    CHECK_EQ(MPI_Pcontrol(1), MPI_SUCCESS);
    CHECK_EQ(MPI_Pcontrol(MPIX_PCONTROL_WORK, cycles), MPI_SUCCESS);
    double took = MPI_Wtime() - begin;
    if (hz > 0)
        CHECK(took >= cycles / hz && took < cycles / hz * 1.001);
    else
        CHECK(took < 1.0);
    MPI_Finalize();
    return 0;
}
