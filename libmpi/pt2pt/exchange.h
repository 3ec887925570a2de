/* SPDX-License-Identifier: MIT */
/* A send and a receive as one operation: MPI_Sendrecv and its forms. */
#ifndef MPI_PT2PT_EXCHANGE_H
#define MPI_PT2PT_EXCHANGE_H

#include "pt2pt/p2p.h"

/* Checks both, of which buf, count, peer and tag are set, and sets the rest. They must not overlap,
 * unless one replaces the other: MPI_ERR_BUFFER (MPI 5.0, 3.10). Raises. */
int mpi_check_exchange(struct mpi_process *p, const char *call, struct mpi_transfer *s,
                       MPI_Datatype sendtype, struct mpi_transfer *r, MPI_Datatype recvtype,
                       MPI_Comm comm, bool replace);

/* The whole of a call with checked arguments: waits, or gives a request. Raises. */
int mpi_exchange(struct mpi_process *p, const char *call, const struct mpi_transfer *s,
                 const struct mpi_transfer *r, bool replace, MPI_Status *status);
int mpi_iexchange(struct mpi_process *p, const char *call, const struct mpi_transfer *s,
                  const struct mpi_transfer *r, bool replace, MPI_Request *request);

#endif
