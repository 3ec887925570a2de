/* SPDX-License-Identifier: MIT */
/* Messages of operations that have ended (late.c). Static programs are linked without. */
#ifndef MPI_COLL_LATE_H
#define MPI_COLL_LATE_H

#include <base/link.h>

#include "coll/agree.h"

/* From now on such messages are noted: struct mpi_alerts, `late`. */
B_IF_LINKED void mpi_late_listen(struct mpi_process *p);

/* Looks at those that were noted; c: the operation that the rank is in, or NULL. Starts messages,
 * and does not wait. */
B_IF_LINKED void mpi_late_look(struct mpi_process *p, const struct mpi_coll *c);

/* c ends on a communicator that such a message was found on. */
B_IF_LINKED void mpi_late_judge(struct mpi_coll *c);

/* What this rank can tell of operation n, which has ended here otherwise than for who is still at
 * it: why, if another rank's alarm said so; else only that it was something else. */
B_IF_LINKED struct mpi_call mpi_late_ending(struct mpi_process *p, const struct mpi_comm *comm,
                                            uint32_t n);

#endif
