/* SPDX-License-Identifier: MIT */
/* MPI_Comm_idup: the new communicator's id comes down a tree while the program goes on. */
#ifndef MPI_COMM_IDUP_H
#define MPI_COMM_IDUP_H

#include "info/info.h"
#include "request/request.h"

/* hints: NULL for none. Raises on c. */
int mpi_comm_idup(struct mpi_process *p, const char *call, struct mpi_comm *c,
                  const struct mpi_info *hints, MPI_Comm *newcomm, MPI_Request *request);

#endif
