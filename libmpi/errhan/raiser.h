/* SPDX-License-Identifier: MIT */
/* The objects that have an error handler, alike for the functions that set, get and call it. */
#ifndef MPI_ERRHAN_RAISER_H
#define MPI_ERRHAN_RAISER_H

#include "core/err.h"

struct mpi_raiser_place {
    MPI_Errhandler *handler;
    struct mpi_comm *comm; /* on which errors of arguments are raised; NULL: none */
    struct mpi_raiser raiser;
};

/* Each raises the class of its kind for what is no such object. */
int mpi_check_comm_raiser(struct mpi_process *p, const char *call, MPI_Comm comm,
                          struct mpi_raiser_place *at);
int mpi_check_win_raiser(struct mpi_process *p, const char *call, MPI_Win win,
                         struct mpi_raiser_place *at);
int mpi_check_session_raiser(struct mpi_process *p, const char *call, MPI_Session session,
                             struct mpi_raiser_place *at);

/* MPI_FILE_NULL has one, too: that of files to come (MPI 5.0, 14.7). */
int mpi_check_file_raiser(struct mpi_process *p, const char *call, MPI_File file,
                          struct mpi_raiser_place *at);

/* A class or code of the standard or of the program; else raises MPI_ERR_ARG. */
int mpi_check_code(struct mpi_process *p, struct mpi_comm *c, const char *call, int code);

#endif
