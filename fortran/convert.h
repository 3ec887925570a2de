/* SPDX-License-Identifier: MIT */
/* How arguments of Fortran become those of C. INTEGER and LOGICAL are int (checked by the tests
 * against the compiler), handles are numbers (MPI_X_toint, MPI_X_fromint), texts come with their
 * lengths behind all arguments.
 *
 * Every function exists twice, from the same source: mpi_x_, which a profiling library may replace
 * and which calls MPI_X, and pmpi_x_, which calls PMPI_X. */
#ifndef FORTRAN_CONVERT_H
#define FORTRAN_CONVERT_H

#include <stddef.h>
#include <stdlib.h>

#include <mpi.h>

/* MPIF_LINKAGE, MPIF_FORTRAN and MPIF_C come from the build: weak, mpi_ and MPI_; or nothing, pmpi_
 * and PMPI_. */
#define MPIF_PASTE(a, b) a##b
#define MPIF_JOIN(a, b)  MPIF_PASTE(a, b)
#define F(name)          MPIF_PLACE MPIF_LINKAGE MPIF_JOIN(MPIF_FORTRAN, name)
#define C(name)          MPIF_JOIN(MPIF_C, name)

/* All these functions lie side by side, so that a library can tell them from the program's own
 * (place.c); each file of them brings that one into the program. */
#define MPIF_PLACE __attribute__((section("mpif_functions")))
void mpif_place(void);
__attribute__((used)) static void (*const mpif_place_here)(void) = mpif_place;

/* The variables of Fortran's common blocks whose addresses mean something. */
void *mpif_buffer(void *p);           /* MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC */
MPI_Status *mpif_status(MPI_Fint *p); /* MPI_STATUS_IGNORE */
MPI_Status *mpif_statuses(MPI_Fint *p);
int *mpif_weights(MPI_Fint *p); /* MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY */

/* The text without blanks around it, to be freed; NULL: no memory. */
char *mpif_text(const char *text, size_t length);
/* Fills a variable of Fortran with the text, then blanks. */
void mpif_give(char *to, size_t length, const char *text);

/* Numbers to handles: in `few` if they fit, else in new memory; NULL: there is none. The other way
 * back, unless `numbers` is NULL, and the memory goes. */
#define MPIF_FEW 32
#define MPIF_ARRAY(Kind, Name)                                                                     \
    MPI_##Kind *mpif_##Name##_in(MPI_##Kind *few, const MPI_Fint *numbers, int n);                 \
    void mpif_##Name##_out(const MPI_##Kind *few, MPI_##Kind *handles, MPI_Fint *numbers, int n);
MPIF_ARRAY(Request, Request)
MPIF_ARRAY(Datatype, Type)
MPIF_ARRAY(Info, Info)

/* How many types an all-to-all takes for its sends (side 0) or its receives (1). */
int mpif_peers(MPI_Comm comm, int side);
int mpif_neighbors(MPI_Comm comm, int side);

/* A handle goes back. The program may have given a constant, which is not written to if it stays
 * what it is. */
static inline void mpif_number(MPI_Fint *to, MPI_Fint number)
{
    if (*to != number)
        *to = number;
}

/* An attribute's value: that of a predefined key lies behind the pointer that C gets. */
MPI_Aint mpif_attribute(int keyval, void *p);

/* Fortran counts from 1. */
static inline int mpif_from_one(int index)
{
    return index == MPI_UNDEFINED ? index : index + 1;
}

static inline void mpif_end(MPI_Fint *ierror, int e)
{
    if (ierror)
        *ierror = e;
}

#endif
