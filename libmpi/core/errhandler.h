/* SPDX-License-Identifier: MIT */
/* Error handlers that a program makes. The handles of predefined ones are not counted. */
#ifndef MPI_CORE_ERRHANDLER_H
#define MPI_CORE_ERRHANDLER_H

#include "core/err.h"

enum mpi_owner { MPI_OWNER_COMM, MPI_OWNER_WIN, MPI_OWNER_FILE, MPI_OWNER_SESSION };

struct mpi_errhandler {
    enum mpi_magic magic;
    int refs; /* its handle, and each object that has it */
    enum mpi_owner owner;
    void (*call)(void *handle, int *code, ...); /* handle: pointer to the object's handle */
};

/* The object of a handle, NULL if it is none, or a predefined one. */
struct mpi_errhandler *mpi_errhandler(MPI_Errhandler handle);

/* One more user of it; and one less. */
MPI_Errhandler mpi_errhandler_retain(MPI_Errhandler handle);
void mpi_errhandler_drop(struct mpi_process *p, MPI_Errhandler handle);

/* Makes one; raises MPI_ERR_NO_MEM or MPI_ERR_ARG. */
int mpi_errhandler_new(const char *call, enum mpi_owner owner, void (*f)(void *, int *, ...),
                       MPI_Errhandler *handle);

/* A predefined handler or one made for this kind of object; else raises MPI_ERR_ERRHANDLER. */
int mpi_check_errhandler(struct mpi_comm *c, const char *call, enum mpi_owner owner,
                         MPI_Errhandler errhandler);

/* Puts a checked handler in the place of another one. */
void mpi_errhandler_put(struct mpi_process *p, MPI_Errhandler *place, MPI_Errhandler handle);

#endif
