/* SPDX-License-Identifier: MIT */
/* C functions for those callbacks of Fortran that get no state of their own from MPI: each routine
 * of the program takes one of a fixed number of C functions for good. */
#ifndef FORTRAN_CALLBACKS_H
#define FORTRAN_CALLBACKS_H

#include "convert.h"

typedef void mpif_op(void *in, void *inout, MPI_Fint *len, MPI_Fint *datatype);
typedef void mpif_errhandler(MPI_Fint *object, MPI_Fint *code);

/* The C function that calls `routine`; NULL: MPIF_CALLBACKS other ones have all. */
#define MPIF_CALLBACKS 32
MPI_User_function *mpif_op_function(mpif_op *routine);
MPI_Comm_errhandler_function *mpif_comm_handler(mpif_errhandler *routine);
MPI_Win_errhandler_function *mpif_win_handler(mpif_errhandler *routine);
MPI_File_errhandler_function *mpif_file_handler(mpif_errhandler *routine);
MPI_Session_errhandler_function *mpif_session_handler(mpif_errhandler *routine);

#endif
