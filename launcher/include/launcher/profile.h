/* SPDX-License-Identifier: MIT */
/* What mpiexec --profile shares with the ranks: a file in memory, a record for each rank, which the
 * layer in front of MPI's functions writes (images/profile) and mpiexec reads when the job has
 * ended, however it did. A record has one writer, its rank, but for `blamed`. All waiting is found
 * in one way: who does its part of a message or a collective leaves an event, and whoever was in a
 * call meanwhile finds when the others have done theirs. */
#ifndef LAUNCHER_PROFILE_H
#define LAUNCHER_PROFILE_H

#include <stdatomic.h>
#include <stdint.h>

#define PROFILE_VARIABLE  "LWMPI_PROFILE" /* in the environment: "descriptor:ranks" */
#define PROFILE_FUNCTIONS 320             /* of MPI that have a wrapper, at most */
#define PROFILE_SITES     512             /* places of calls of a rank; further ones are one */
#define PROFILE_EVENTS    1024            /* of a rank that others can look back to; a power of 2 */
#define PROFILE_NAME      40
#define PROFILE_PATH      120

/* What a call waited for. The rest of its time is the network and the work of MPI. */
enum profile_cause {
    PROFILE_SENDER,     /* it received, and nobody had sent yet */
    PROFILE_RECEIVER,   /* it sent, and nobody had asked for the message yet */
    PROFILE_COLLECTIVE, /* a rank had not come to the collective yet */
    PROFILE_FLOW,       /* it sent a message so short that it goes at once, and the receiver had no
                           room for it until it came into MPI again */
    PROFILE_CAUSES
};

struct profile_function {
    char name[PROFILE_NAME]; /* "MPI_Send"; "": never called */
    uint64_t calls, bytes;   /* bytes: that the calls name to be sent, or received if none are */
    double seconds;          /* in it */
    double waited[PROFILE_CAUSES]; /* ... of these */
};

/* Calls of one function from one place. */
struct profile_site {
    uint64_t address; /* return address; 0: free */
    uint64_t offset;  /* of the call in the file */
    uint64_t calls;
    double seconds, waited[PROFILE_CAUSES];
    double longest; /* single wait, */
    int who;        /* for this rank */
    int function;
    char path[PROFILE_PATH]; /* "": unknown */
};

/* A part of the rank in a message or collective began at a time. */
struct profile_event {
    atomic_ullong id; /* the same for all who look for it; 0: none, or it is being written */
    _Atomic double time;
};

struct profile_rank {
    double begin, end; /* MPI_Wtime when MPI_Init returned, when MPI_Finalize was called; 0: not */
    atomic_flag busy;  /* a thread writes */
    atomic_ullong blamed[PROFILE_CAUSES]; /* nanoseconds that others waited for it: by them */
    uint64_t dropped;                     /* calls from places for which there was no room */
    struct profile_function function[PROFILE_FUNCTIONS];
    struct profile_site site[PROFILE_SITES];
    struct profile_event event[PROFILE_EVENTS]; /* the latest, by id modulo that */
};

#endif
