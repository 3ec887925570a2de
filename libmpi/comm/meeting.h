/* SPDX-License-Identifier: MIT */
/* Meetings: operations of all ranks of a communicator that are no collectives of the program's
 * data, but make something of its ranks, mostly another communicator. They are numbered with the
 * blocking collectives, and ranks that disagree about them are noticed in the same way:
 * docs/collectives.md, Agreement. On the rank's thread. In coll/meeting.c. */
#ifndef MPI_COMM_MEETING_H
#define MPI_COMM_MEETING_H

#include "core/object.h"

struct mpi_coll;

/* Begins one, which the program calls so. all: none of its ranks ends it before all have come.
 * NULL: no memory, and the others are told so. */
struct mpi_coll *mpi_meeting_begin(struct mpi_process *p, const char *call, struct mpi_comm *comm,
                                   bool all);

/* A message of it, of n bytes; the other side is a world rank, nobody if it is negative. */
struct mpi_peer_data {
    int world;
    void *data;
    size_t n;
};

/* Sends one and receives one, and waits for both. -B_EPROTO: the meeting is broken. */
int mpi_meeting_trade(struct mpi_coll *c, struct mpi_peer_data out, struct mpi_peer_data in);

/* Raises why it is broken, or else -B_Exxx, an error of this rank, for which it breaks: all that
 * have not ended it raise the same class. The class. */
int mpi_meeting_raise(struct mpi_coll *c, int error);

/* The class of the error that it is broken with; MPI_ERR_OTHER if it is not, or c is NULL. */
int mpi_meeting_class(const struct mpi_coll *c);

/* Ends it; waits only if it is broken. */
void mpi_meeting_end(struct mpi_coll *c);

#endif
