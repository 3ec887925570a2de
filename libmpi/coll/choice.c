/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"
#include "coll/kind.h"
#include "coll/choice.h"

#define CHOICE(of, function)                                                                       \
    {                                                                                              \
        .name = #of ".algorithm", .what = "algorithm of " function ", where it applies",           \
        .kind = &mpi_coll_##of                                                                     \
    }

const struct mpi_choice_of mpi_choices[] = {
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
const int mpi_choices_count = sizeof mpi_choices / sizeof mpi_choices[0];

const char *mpi_choice_algorithm(const struct mpi_choice_of *c, int i)
{
    const struct mpi_coll_algorithm *a = mpi_coll_at(c->kind->intra, i);
    return a ? a->name : NULL;
}
