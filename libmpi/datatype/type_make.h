/* SPDX-License-Identifier: MIT */
/* Making types. Each function raises its errors and returns their class; on success *made has one
 * reference, which is the caller's, and holds what it was made from. */
#ifndef MPI_DATATYPE_TYPE_MAKE_H
#define MPI_DATATYPE_TYPE_MAKE_H

#include "datatype/check.h"

/* On whose behalf. */
struct mpi_maker {
    struct mpi_process *p;
    const char *call;
    bool large; /* the function with large counts */
};

/* Begins a constructor: MPI is running, there is a place for the result. */
int mpi_maker_begin(struct mpi_maker *m, const char *call, bool large, MPI_Datatype *newtype);

/* Ends it: stores the handle of *made, unless rc tells of an error. Returns rc. */
int mpi_maker_end(int rc, struct mpi_type *const *made, MPI_Datatype *newtype);

/* An argument that is an array of int or, `wide`, of MPI_Count; one of MPI_Aint is either, by how
 * long an address is. */
struct mpi_array {
    const void *at;
    bool wide;
};
#define MPI_ARRAY(of) ((struct mpi_array){of, sizeof *(of) > sizeof(int)})

static inline MPI_Count mpi_array_at(struct mpi_array a, MPI_Count i)
{
    return a.wide ? ((const MPI_Count *)a.at)[i] : ((const int *)a.at)[i];
}

/* Checks of arguments: n >= 0 (MPI_ERR_COUNT), an array where n > 0 (MPI_ERR_ARG). */
int mpi_maker_count(const struct mpi_maker *m, MPI_Count n, const char *name);
int mpi_maker_array(const struct mpi_maker *m, MPI_Count n, const void *array, const char *name);

/* count >= 0 and as many lengths, none negative (MPI_ERR_ARG). */
int mpi_maker_lengths(const struct mpi_maker *m, MPI_Count count, struct mpi_array lengths);

/* combiner CONTIGUOUS (blocklength elements), VECTOR (stride in extents) or HVECTOR (bytes). */
int mpi_make_vector(const struct mpi_maker *m, int combiner, MPI_Count count, MPI_Count blocklength,
                    MPI_Count stride, const struct mpi_type *old, struct mpi_type **made);

struct mpi_blocks_args {
    int combiner; /* INDEXED, HINDEXED, their _BLOCK forms, STRUCT */
    MPI_Count count;
    struct mpi_array lengths; /* at NULL: all have `length` */
    MPI_Count length;
    struct mpi_array displacements;
    bool in_extents;            /* displacements count extents of `old`, not bytes */
    const struct mpi_type *old; /* NULL: `types` */
    const struct mpi_type *const *types;
};
int mpi_make_blocks(const struct mpi_maker *m, const struct mpi_blocks_args *a,
                    struct mpi_type **made);

/* The whole of a constructor of vectors, and of one of indexed types (INDEXED, HINDEXED and their
 * _BLOCK forms); `old` is filled in. */
int mpi_type_vector(const char *call, bool large, int combiner, MPI_Count count,
                    MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                    MPI_Datatype *newtype);
int mpi_type_blocks(const char *call, bool large, struct mpi_blocks_args *a, MPI_Datatype oldtype,
                    MPI_Datatype *newtype);

int mpi_make_resized(const struct mpi_maker *m, const struct mpi_type *old, MPI_Aint lb,
                     MPI_Aint extent, struct mpi_type **made);

/* The layout of a type under another combiner with n arguments (copied). */
int mpi_make_alias(const struct mpi_maker *m, int combiner, const struct mpi_type *layout,
                   const struct mpi_type *old, const MPI_Count *args, MPI_Count n,
                   struct mpi_type **made);

#endif
