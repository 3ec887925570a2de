/* SPDX-License-Identifier: MIT */
/* The life of an operation: one engine for the blocking, nonblocking and persistent forms and for
 * the neighbourhood ones (engine.c). */
#ifndef MPI_COLL_ENGINE_H
#define MPI_COLL_ENGINE_H

#include "coll/kind.h"

/* Fills in *c, which needs no preparation, as an operation on comm that the program calls so and
 * that has no arguments, and gives it its number. Nobody is told of it. */
void mpi_coll_blank(struct mpi_coll *c, struct mpi_process *p, struct mpi_comm *comm,
                    const char *call, const struct mpi_coll_kind *kind, bool blocking);

/* Checks the arguments and fills in *c, which needs no preparation. An error class, raised; then
 * the other ranks were told, for which it may have waited, and there is nothing to end. */
int mpi_coll_make(struct mpi_coll *c, const struct mpi_coll_kind *kind,
                  const struct mpi_coll_args *a, bool blocking);

/* The next algorithm of its kind that applies takes the place of one that cannot be used, and meets
 * if it does; in the first round, or before it, on all ranks. True: its rounds follow. */
bool mpi_coll_otherwise(struct mpi_coll *c);

/* Begins it (again), on all ranks in the same order. */
void mpi_coll_begin(struct mpi_coll *c);

/* Goes on as far as possible; true: it is complete, c->error says how. Never waits. */
bool mpi_coll_advance(struct mpi_coll *c);

/* Goes through the rounds; waits. */
void mpi_coll_rounds(struct mpi_coll *c);

/* Lets go of what c holds; it is not under way. */
void mpi_coll_end(struct mpi_coll *c);

/* Writes how it ended in an error: the algorithm, and what is known. */
void mpi_coll_explain(struct mpi_coll *c, char *text, size_t size);

/* Raises c->error on its communicator, returns it. */
int mpi_coll_result(struct mpi_coll *c);

#endif
