/* SPDX-License-Identifier: MIT */
/* The communicators of a rank by their ids: lists that double in number with the communicators, so
 * that a program which keeps thousands finds each in the same time, and one which makes none pays
 * nothing. Of one rank, whose thread alone uses it. Nothing here waits. */
#ifndef MPI_COMM_COMM_TABLE_H
#define MPI_COMM_COMM_TABLE_H

#include "core/object.h"

/* Makes room for one more; -B_ENOMEM: it would be the first one, and there is no memory for lists.
 * Without memory for more lists those that there are get longer. */
int mpi_comm_table_reserve(struct mpi_process *p);

/* Adds c by its id, which may be in the table already only if it is MPI_ID_NONE. There was room
 * once: it was reserved, or a communicator was removed. */
void mpi_comm_table_add(struct mpi_process *p, struct mpi_comm *c);

/* Takes c out, which is in it. */
void mpi_comm_table_remove(struct mpi_process *p, struct mpi_comm *c);

/* The one that has the id; NULL: none. */
struct mpi_comm *mpi_comm_table_find(const struct mpi_process *p, uint32_t id);

#endif
