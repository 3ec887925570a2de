/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"
#include "coll/kind.h"
#include "coll/choice.h"

#define CHOICE(id, name, function)                                                                 \
    {                                                                                              \
        MPI_CHOICE_##id, #name ".algorithm", "algorithm of " function ", where it applies",        \
            &mpi_coll_##name                                                                       \
    }

const struct mpi_choice_of mpi_choices[] = {
    CHOICE(BARRIER, barrier, "MPI_Barrier"),
    CHOICE(BCAST, bcast, "MPI_Bcast"),
    CHOICE(GATHER, gather, "MPI_Gather"),
    CHOICE(SCATTER, scatter, "MPI_Scatter"),
    CHOICE(ALLGATHER, allgather, "MPI_Allgather"),
    CHOICE(ALLTOALL, alltoall, "MPI_Alltoall"),
    CHOICE(REDUCE, reduce, "MPI_Reduce"),
    CHOICE(ALLREDUCE, allreduce, "MPI_Allreduce"),
    CHOICE(REDUCE_SCATTER, reduce_scatter, "MPI_Reduce_scatter"),
    CHOICE(REDUCE_SCATTER_BLOCK, reduce_scatter_block, "MPI_Reduce_scatter_block"),
};
const int mpi_choices_count = sizeof mpi_choices / sizeof mpi_choices[0];

const char *mpi_choice_algorithm(const struct mpi_choice_of *c, int i)
{
    const struct mpi_coll_algorithm *a = mpi_coll_at(c->kind->intra, i);
    return a ? a->name : NULL;
}
