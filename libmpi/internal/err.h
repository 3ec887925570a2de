/* SPDX-License-Identifier: MIT */
/* Errors: every one is raised through the error handler of its communicator and then returned. */
#ifndef MPI_INTERNAL_ERR_H
#define MPI_INTERNAL_ERR_H

#include "internal/object.h"

/* Raises `class` for `call` on communicator c; NULL: an error that belongs to none, which goes
 * to MPI_COMM_SELF, before MPI_Init to the initial handler, which is fatal (MPI 5.0, 9.3). The
 * rest says what was wrong (b_fmt). Returns class if the handler returns. */
int mpi_error(struct mpi_comm *c, int class, const char *call, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Raises an error of the rooms below: -B_Exxx. */
int mpi_error_below(struct mpi_comm *c, int error, const char *call);

/* The rank's state if MPI is between Init and Finalize; else raises MPI_ERR_OTHER and returns
 * NULL, and the caller returns MPI_ERR_OTHER. */
struct mpi_process *mpi_running(const char *call);

/* For functions of the standard that are not written. Returns MPI_ERR_UNSUPPORTED_OPERATION. */
int mpi_unsupported(const char *call);

/* Name and text of a class; NULL for what is none. */
const char *mpi_class_name(int class);
const char *mpi_class_text(int class);

#endif
