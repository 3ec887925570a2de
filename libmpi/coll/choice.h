/* SPDX-License-Identifier: MIT */
/* Collective operations whose algorithm can be chosen (struct mpi_process, algorithm). A choice
 * holds where the algorithm applies; all ranks of a communicator must make the same. */
#ifndef MPI_COLL_CHOICE_H
#define MPI_COLL_CHOICE_H

#include "coll/coll.h"

struct mpi_coll_choice {
    const char *name, *what;
    const struct mpi_coll_kind *kind;
};

extern const struct mpi_coll_choice mpi_coll_choices[];
extern const int mpi_coll_choices_count;

#endif
