/* SPDX-License-Identifier: MIT */
/* Errors: every one is raised through the error handler of its communicator and then returned. */
#ifndef MPI_CORE_ERR_H
#define MPI_CORE_ERR_H

#include "core/object.h"

/* Raises `class` for `call` on communicator c; NULL: an error that belongs to none, which goes
 * to MPI_COMM_SELF, before MPI_Init to the initial handler, which is fatal (MPI 5.0, 9.3). The
 * rest says what was wrong (b_fmt). Returns class if the handler returns. */
int mpi_error(struct mpi_comm *c, int class, const char *call, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Through whom errors of an object go: its handler, its handle, its name or NULL. */
struct mpi_raiser {
    MPI_Errhandler handler;
    void *handle;
    const char *name;
};

/* That of a communicator; of NULL as mpi_error says. */
struct mpi_raiser mpi_raiser(struct mpi_process *p, const struct mpi_comm *c);

/* mpi_error for objects that are no communicator. code: also one that the program added. */
int mpi_raise(const struct mpi_raiser *on, int code, const char *call, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A class or code that the program added; NULL: none has this number. */
struct mpi_code {
    struct mpi_code *next;
    int number, class; /* equal for a class */
    char *text;        /* NULL: none was given */
};
struct mpi_code *mpi_code(struct mpi_process *p, int number);

/* The class of any code, -1 if it is none; and its text, as b_fmt. p may be NULL. */
int mpi_class_of(struct mpi_process *p, int code);
int mpi_error_text(struct mpi_process *p, int code, char *text, size_t size);

/* The class of an error of the rooms below, -B_Exxx; and raises it. */
int mpi_class_below(int error);
int mpi_error_below(struct mpi_comm *c, int error, const char *call);

/* The rank's state if MPI is between Init and Finalize or a session is open; else raises
 * MPI_ERR_OTHER and returns NULL, and the caller returns MPI_ERR_OTHER. */
struct mpi_process *mpi_running(const char *call);

/* Raises MPI_ERR_OTHER for a call that the calling thread may not make in this phase of its rank:
 * between MPI_Init and MPI_Finalize because of what thread it is. Returns NULL. */
struct mpi_process *mpi_refuse(const char *call, enum mpi_phase phase);

/* For functions of the standard that are not written. Returns MPI_ERR_UNSUPPORTED_OPERATION. */
int mpi_unsupported(const char *call);

/* Text of a class; NULL for what is none. */
const char *mpi_class_text(int class);

#endif
