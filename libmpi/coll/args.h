/* SPDX-License-Identifier: MIT */
/* The arguments of collectives, as the functions of the standard have them: nothing is checked. */
#ifndef MPI_COLL_ARGS_H
#define MPI_COLL_ARGS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* An array argument of the int or of the large-count form of a function. */
struct mpi_numbers {
    const void *at; /* NULL: there is none */
    bool large;     /* MPI_Count (MPI_Aint, the same size), else int */
};

static inline MPI_Count mpi_number(const struct mpi_numbers *n, int i)
{
    return n->large ? ((const MPI_Count *)n->at)[i] : ((const int *)n->at)[i];
}

/* How the blocks of a side are given: all with one count; a count and a displacement each; a type
 * each too (displacements are in bytes then). */
enum mpi_coll_shape { MPI_COLL_EVEN, MPI_COLL_V, MPI_COLL_W };

/* The arguments of a collective; what a kind does not have stays zero. */
struct mpi_coll_side_args {
    const void *buf;
    MPI_Count count;
    MPI_Datatype type;
    struct mpi_numbers counts, displs;
    const MPI_Datatype *types;
    enum mpi_coll_shape shape;
};

/* A side as the functions have it. Arrays of the int forms are `mpi_ints`, those of the large forms
 * `mpi_larges`, addresses `mpi_addresses`. */
static inline struct mpi_numbers mpi_ints(const int *at)
{
    return (struct mpi_numbers){at, false};
}

static inline struct mpi_numbers mpi_larges(const MPI_Count *at)
{
    return (struct mpi_numbers){at, true};
}

static inline struct mpi_numbers mpi_addresses(const MPI_Aint *at)
{
    return (struct mpi_numbers){at, sizeof *at > sizeof(int)};
}

static inline struct mpi_coll_side_args mpi_even(const void *buf, MPI_Count count,
                                                 MPI_Datatype type)
{
    return (struct mpi_coll_side_args){.buf = buf, .count = count, .type = type};
}

static inline struct mpi_coll_side_args mpi_v(const void *buf, struct mpi_numbers counts,
                                              struct mpi_numbers displs, MPI_Datatype type)
{
    return (struct mpi_coll_side_args){
        .buf = buf, .counts = counts, .displs = displs, .type = type, .shape = MPI_COLL_V};
}

static inline struct mpi_coll_side_args mpi_w(const void *buf, struct mpi_numbers counts,
                                              struct mpi_numbers displs, const MPI_Datatype *types)
{
    return (struct mpi_coll_side_args){
        .buf = buf, .counts = counts, .displs = displs, .types = types, .shape = MPI_COLL_W};
}

struct mpi_coll_args {
    const char *call;
    MPI_Comm comm;
    struct mpi_coll_side_args send, recv;
    MPI_Op op;
    int root;
};

#endif
