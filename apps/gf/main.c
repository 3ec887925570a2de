/* SPDX-License-Identifier: MIT */
/* gf: the Gaussian filter of the CAP benchmarks on real pictures. plan.h says who does what. */
#include <mpi.h>

#include "options.h"
#include "plan.h"

static int run_master(int argc, char **argv, int ranks)
{
    struct gf_options options;
    int code = gf_options_read(&options, argc, argv);

    if (code < 0)
        return gf_master(&options, ranks);
    gf_master(0, ranks);
    return code;
}

int main(int argc, char **argv)
{
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int code = rank == 0 ? run_master(argc, argv, ranks) : gf_serve();
    MPI_Finalize();
    return code;
}
