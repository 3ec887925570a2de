/* SPDX-License-Identifier: MIT */
/* What mpiexec --profile shares with the ranks: a file in memory, a record for each rank, which the
 * layer in front of MPI's functions writes (images/profile) and mpiexec reads when the job has
 * ended, however it did. A record has one writer, its rank, but for `blamed`. */
#ifndef LAUNCHER_PROFILE_H
#define LAUNCHER_PROFILE_H

#include <stdatomic.h>
#include <stdint.h>

#define PROFILE_VARIABLE  "LWMPI_PROFILE" /* in the environment: "descriptor:ranks" */
#define PROFILE_FUNCTIONS 320             /* of MPI that have a wrapper, at most */
#define PROFILE_SITES     512             /* places of calls of a rank; further ones are one */
#define PROFILE_LOG       64              /* collectives of a rank that others can look back to */
#define PROFILE_NAME      40
#define PROFILE_PATH      120

struct profile_function {
    char name[PROFILE_NAME]; /* "MPI_Send"; "": never called */
    uint64_t calls, bytes;   /* bytes: that the calls name to be sent, or received if none are */
    double seconds;          /* in it */
    double waited;           /* ... of these until the last rank had come to the collective */
};

/* Calls of one function from one place. */
struct profile_site {
    uint64_t address; /* return address; 0: free */
    uint64_t offset;  /* of the call in the file */
    uint64_t calls;
    double seconds;
    int function;
    char path[PROFILE_PATH]; /* "": unknown */
};

/* When the rank came to collective number `serial` of a communicator, both from 1 on. */
struct profile_entry {
    uint64_t communicator;
    uint64_t serial;
    double time;
};

struct profile_rank {
    double begin, end; /* MPI_Wtime when MPI_Init returned, when MPI_Finalize was called; 0: not */
    atomic_flag busy;  /* a thread writes */
    atomic_ullong blamed; /* nanoseconds that others waited for it as the last one: by them */
    uint64_t dropped;     /* calls from places for which there was no room */
    struct profile_function function[PROFILE_FUNCTIONS];
    struct profile_site site[PROFILE_SITES];
    atomic_ullong entries;                   /* so far */
    struct profile_entry entry[PROFILE_LOG]; /* the last ones, by number modulo that */
};

#endif
