/* SPDX-License-Identifier: MIT */
/* Modelled work: takes its time where time is virtual (argument: cycles per second), none where
 * it is real (no argument). Other levels of MPI_Pcontrol mean nothing. */
#include "check.h"

static double time_of(double cycles)
{
    double begin = MPI_Wtime();
    CHECK_EQ(MPI_Pcontrol(MPIX_PCONTROL_WORK, cycles), MPI_SUCCESS);
    return MPI_Wtime() - begin;
}

/* Work in parts of a cycle, as a price of each element may be, comes to the same as at once. */
static void parts_come_to_whole_cycles(double hz)
{
    double begin = MPI_Wtime();
    for (int i = 0; i < 3000; i++)
        CHECK_EQ(MPI_Pcontrol(MPIX_PCONTROL_WORK, i % 3 == 2 ? 1.0 : 0.4), MPI_SUCCESS);
    double cycles = (MPI_Wtime() - begin) * hz;
    CHECK(cycles > 1798.5 && cycles < 1800.5);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double hz = argc > 1 ? atof(argv[1]) : 0, cycles = 4e9;
    CHECK_EQ(MPI_Pcontrol(1), MPI_SUCCESS);
    double took = time_of(cycles);
    if (hz > 0)
        CHECK(took >= cycles / hz && took < cycles / hz * 1.001);
    if (hz > 0)
        parts_come_to_whole_cycles(hz);
    for (int i = 0; hz <= 0 && took >= 0.01;
         i++) { /* others may have had the processor meanwhile */
        CHECK(i < 1000);
        took = time_of(cycles);
    }
    MPI_Finalize();
    return 0;
}
