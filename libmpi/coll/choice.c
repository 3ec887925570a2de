/* SPDX-License-Identifier: MIT */
#include "coll/forms.h"
#include "coll/kind.h"
#include "coll/choice.h"

#define CHOICE(id, name, function)                                                                 \
    {                                                                                              \
        MPI_CHOICE_##id, name ".algorithm", "algorithm of " function ", where it applies"          \
    }

const struct mpi_choice_of mpi_choices[] = {
    CHOICE(BARRIER, "barrier", "MPI_Barrier"),
    CHOICE(BCAST, "bcast", "MPI_Bcast"),
    CHOICE(GATHER, "gather", "MPI_Gather"),
    CHOICE(SCATTER, "scatter", "MPI_Scatter"),
    CHOICE(ALLGATHER, "allgather", "MPI_Allgather"),
    CHOICE(ALLTOALL, "alltoall", "MPI_Alltoall"),
    CHOICE(REDUCE, "reduce", "MPI_Reduce"),
    CHOICE(ALLREDUCE, "allreduce", "MPI_Allreduce"),
    CHOICE(REDUCE_SCATTER, "reduce_scatter", "MPI_Reduce_scatter"),
    CHOICE(REDUCE_SCATTER_BLOCK, "reduce_scatter_block", "MPI_Reduce_scatter_block"),
};
const int mpi_choices_count = sizeof mpi_choices / sizeof mpi_choices[0];

static const struct mpi_coll_kind *const kinds[MPI_CHOICES] = {
    [MPI_CHOICE_BARRIER] = &mpi_coll_barrier,
    [MPI_CHOICE_BCAST] = &mpi_coll_bcast,
    [MPI_CHOICE_GATHER] = &mpi_coll_gather,
    [MPI_CHOICE_SCATTER] = &mpi_coll_scatter,
    [MPI_CHOICE_ALLGATHER] = &mpi_coll_allgather,
    [MPI_CHOICE_ALLTOALL] = &mpi_coll_alltoall,
    [MPI_CHOICE_REDUCE] = &mpi_coll_reduce,
    [MPI_CHOICE_ALLREDUCE] = &mpi_coll_allreduce,
    [MPI_CHOICE_REDUCE_SCATTER] = &mpi_coll_reduce_scatter,
    [MPI_CHOICE_REDUCE_SCATTER_BLOCK] = &mpi_coll_reduce_scatter_block,
};

const char *mpi_choice_algorithm(const struct mpi_choice_of *c, int i)
{
    const struct mpi_coll_algorithm *a = mpi_coll_at(kinds[c->choice]->intra, i);
    return a ? a->name : NULL;
}
