/* SPDX-License-Identifier: MIT */
/* Collective operations whose algorithm can be chosen (struct mpi_process, algorithm). A choice
 * holds where the algorithm applies; all ranks of a communicator must make the same. */
#ifndef MPI_COLL_CHOICE_H
#define MPI_COLL_CHOICE_H

#include "core/object.h"

struct mpi_choice_of {
    const char *name, *what;
    const struct mpi_coll_kind *kind;
};

extern const struct mpi_choice_of mpi_choices[];
extern const int mpi_choices_count;

/* The name of its i-th algorithm; NULL: there are no more. */
const char *mpi_choice_algorithm(const struct mpi_choice_of *c, int i);

#endif
