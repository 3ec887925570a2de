/* SPDX-License-Identifier: MIT */
/* Buffers that the program attaches for buffered sends (mpi_begin_buffered): those use the buffer
 * of the communicator, else of the process, else of a session. MPI_ERR_BUFFER: none is attached, or
 * it has no room. A message in one is a segment: a header, within MPI_BSEND_OVERHEAD, and the
 * packed data. */
#ifndef MPI_PT2PT_BUFFER_H
#define MPI_PT2PT_BUFFER_H

#include "pt2pt/p2p.h"

/* c: what it is attached to, a communicator or a session's; NULL: the process. Errors are raised on
 * it; functions return the class. */
int mpi_buffer_attach(struct mpi_process *p, const char *call, struct mpi_comm *c, void *memory,
                      MPI_Count size);

/* Waits until its messages are sent; gives address and size. The size must not exceed `most`. */
int mpi_buffer_detach(struct mpi_process *p, const char *call, struct mpi_comm *c, void *memory_p,
                      MPI_Count *size, MPI_Count most);

/* Waits until the messages that are in it now are sent; nothing if there is no buffer. */
int mpi_buffer_flush(struct mpi_process *p, const char *call, struct mpi_comm *c);
int mpi_buffer_iflush(struct mpi_process *p, const char *call, struct mpi_comm *c,
                      MPI_Request *request);

#endif
