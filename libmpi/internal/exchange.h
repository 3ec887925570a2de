/* SPDX-License-Identifier: MIT */
/* A send and a receive as one operation: MPI_Sendrecv and its forms. */
#ifndef MPI_INTERNAL_EXCHANGE_H
#define MPI_INTERNAL_EXCHANGE_H

#include "internal/p2p.h"

struct mpi_exchange {
    struct mpi_request base;
    struct mpi_p2p send, recv;
    void *copy; /* of what is sent, if it is replaced */
};

extern const struct mpi_request_kind mpi_exchange_kind;

/* Starts both; with `replace` the data of the send is copied first. e's head is initialized. An
 * error class, not raised. */
int mpi_exchange_begin(struct mpi_process *p, struct mpi_exchange *e, const struct mpi_transfer *s,
                       const struct mpi_transfer *r, bool replace);

/* MPI_ERR_BUFFER, raised, where what is sent and what is received overlap (MPI 5.0, 3.10). */
int mpi_check_exchange(const char *call, const struct mpi_transfer *s,
                       const struct mpi_transfer *r);

/* The whole of a call with checked arguments: waits, or gives a request. Raises. */
int mpi_exchange(struct mpi_process *p, const char *call, const struct mpi_transfer *s,
                 const struct mpi_transfer *r, bool replace, MPI_Status *status);
int mpi_iexchange(struct mpi_process *p, const char *call, const struct mpi_transfer *s,
                  const struct mpi_transfer *r, bool replace, MPI_Request *request);

#endif
