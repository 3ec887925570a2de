/* SPDX-License-Identifier: MIT */
/* The layer of mpiexec --profile: a function MPI_X in front of each PMPI_X that sends, receives,
 * waits or makes communicators (libmpi/tools/abi.py profile). It is a library of its own, loaded
 * before the program's, so that nothing is in the way of programs that are not profiled. */
#ifndef IMAGES_PROFILE_LAYER_H
#define IMAGES_PROFILE_LAYER_H

#include <mpi.h>

struct profile_call {
    int function; /* -1: nobody counts */
    const char *name;
    const void *site;
    struct profile_rank *rank;
    double begin;
    uint64_t bytes;
};

/* A call of function number `function` from `site` begins; has ended. */
void profile_begin(struct profile_call *c, int function, const char *name, const void *site);
void profile_end(struct profile_call *c);

/* How many bytes it is about: count elements; as many as counts say for each rank of comm. */
void profile_bytes(struct profile_call *c, MPI_Count count, MPI_Datatype type);
void profile_bytes_int(struct profile_call *c, const int counts[], MPI_Datatype type,
                       MPI_Comm comm);
void profile_bytes_large(struct profile_call *c, const MPI_Count counts[], MPI_Datatype type,
                         MPI_Comm comm);

/* Between begin and end, of a collective that no rank leaves before all have come: before and after
 * the call itself. */
struct profile_meeting {
    struct profile_comm *comm; /* NULL: not known */
    uint64_t serial;
};
void profile_meets(const struct profile_call *c, struct profile_meeting *m, MPI_Comm comm);
void profile_met(struct profile_call *c, const struct profile_meeting *m);

/* A communicator was made, by all its members alike. */
void profile_made(const struct profile_call *c, MPI_Comm comm);

/* MPI begins on the calling rank; is about to end. */
void profile_open(void);
void profile_close(void);

#endif
