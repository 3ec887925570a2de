/* SPDX-License-Identifier: MIT */
#include "coll/choice.h"

#define CHOICE(kind, function)                                                                     \
    {                                                                                              \
#kind ".algorithm", "algorithm of " function ", where it applies", &mpi_coll_##kind        \
    }

const struct mpi_coll_choice mpi_coll_choices[] = {
    CHOICE(barrier, "MPI_Barrier"),
    CHOICE(bcast, "MPI_Bcast"),
    CHOICE(gather, "MPI_Gather"),
    CHOICE(scatter, "MPI_Scatter"),
    CHOICE(allgather, "MPI_Allgather"),
    CHOICE(alltoall, "MPI_Alltoall"),
    CHOICE(reduce, "MPI_Reduce"),
    CHOICE(allreduce, "MPI_Allreduce"),
    CHOICE(reduce_scatter, "MPI_Reduce_scatter"),
    CHOICE(reduce_scatter_block, "MPI_Reduce_scatter_block"),
};
const int mpi_coll_choices_count = sizeof mpi_coll_choices / sizeof mpi_coll_choices[0];
