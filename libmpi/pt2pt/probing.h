/* SPDX-License-Identifier: MIT */
/* Probing, and messages that a matched probe took. */
#ifndef MPI_PT2PT_PROBING_H
#define MPI_PT2PT_PROBING_H

#include "pt2pt/p2p.h"

#define MPI_IS_MESSAGE 0x6d657373u

/* What an MPI_Message stands for. */
struct mpi_message {
    uint32_t magic;
    struct mpi_comm *comm; /* retained */
    struct mpu_arrival *arrival;
};

/* What a probe asks for and finds. */
struct mpi_probe {
    struct mpi_comm *comm;
    int source, tag;
    bool take; /* matched probe: nobody else finds the message */
    bool wait;
    bool found;
    struct mpu_arrival *arrival; /* NULL: from MPI_PROC_NULL */
};

/* Checks source and tag, looks or waits for the message, gives its status. Raises. */
int mpi_probe(struct mpi_process *p, const char *call, struct mpi_probe *w, MPI_Status *status);

/* The handle of a message that was found. */
int mpi_message_give(struct mpi_process *p, const char *call, const struct mpi_probe *w,
                     MPI_Message *message);

/* Checks the arguments of a receive of it; *m is NULL for MPI_MESSAGE_NO_PROC. Raises. */
int mpi_check_mrecv(struct mpi_process *p, const char *call, void *buf, MPI_Count count,
                    MPI_Datatype type, const MPI_Message *handle, struct mpi_message **m,
                    struct mpi_transfer *t);

/* Starts to receive it into q, whose head is initialized; the handle becomes MPI_MESSAGE_NULL. An
 * error class, not raised; then the message is still there. */
int mpi_mrecv_begin(struct mpi_process *p, struct mpi_p2p *q, const struct mpi_transfer *t,
                    struct mpi_message *m, MPI_Message *handle);

#endif
