/* SPDX-License-Identifier: MIT */
/* What mpiexec --profile and --trace share with the ranks: a file in memory, which the layer in
 * front of MPI's functions writes (images/profile) and mpiexec reads when the job has ended,
 * however it did. It holds a struct profile_rank for each rank, then for each a ring of struct
 * profile_record, its latest calls. All has one writer, its rank, but for `blamed`. All waiting is
 * found in one way: who does its part of a message or a collective leaves an event, and whoever was
 * in a call meanwhile finds when the others have done theirs.
 *
 * Times are ticks of the clock that mpiexec has chosen, from any begin. The ranks learn of it by
 * PROFILE_VARIABLE; `shared` there is 1 if several ranks live in a process. */
#ifndef LAUNCHER_PROFILE_H
#define LAUNCHER_PROFILE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

#define PROFILE_VARIABLE  "LWMPI_PROFILE" /* descriptor:ranks:records of each:clock:shared */
#define PROFILE_FUNCTIONS 320             /* of MPI that have a wrapper, at most */
#define PROFILE_SITES     512             /* places of calls of a rank; further ones are one */
#define PROFILE_EVENTS    1024            /* of a rank that others can look back to; a power of 2 */
#define PROFILE_COMMS     32              /* of a rank that have a name in the trace */
#define PROFILE_WAYS      32              /* protocols and algorithms of a rank that do */
#define PROFILE_WAITS     64              /* ranks for which a rank waited, each in one place */
#define PROFILE_NAME      40
#define PROFILE_PATH      120

enum profile_clock {
    PROFILE_MACHINE,   /* nanoseconds of MPI_Wtime */
    PROFILE_PROCESSOR, /* hal_host_ticks */
    PROFILE_SYSTEM     /* nanoseconds of CLOCK_MONOTONIC */
};

/* What a call waited for. The rest of its time is the network and the work of MPI. */
enum profile_cause {
    PROFILE_SENDER,     /* it received, and nobody had sent yet */
    PROFILE_RECEIVER,   /* it sent, and nobody had asked for the message yet */
    PROFILE_COLLECTIVE, /* a rank had not come to the collective yet */
    PROFILE_FLOW,       /* it sent a message so short that it goes at once, and the receiver had no
                           room for it until it came into MPI again */
    PROFILE_CAUSES
};

struct profile_total {
    uint64_t calls, bytes; /* bytes: that the calls name to be sent, or received if none are */
    uint64_t ticks;        /* in them, */
    uint64_t waited[PROFILE_CAUSES]; /* of which waiting */
};

/* All calls of a function; until the job has ended, only those from places for which there is no
 * room. */
struct profile_function {
    char name[PROFILE_NAME]; /* "MPI_Send"; "": never called */
    struct profile_total total;
};

/* Calls of one function from one place. */
struct profile_site {
    uint64_t address; /* return address; 0: free */
    int function;
    int who; /* for whom it waited longest, */
    struct profile_total total;
    uint64_t longest;        /* at a time */
    uint64_t offset;         /* of the call in the file */
    char path[PROFILE_PATH]; /* "": unknown */
};

/* For how long the rank waited for another one. What is known of others for which there is no place
 * any more is in their `blamed`. */
struct profile_wait {
    int who; /* 1 + rank; 0: free */
    uint64_t waited[PROFILE_CAUSES];
};

/* A part of the rank in a message or collective, which has the same id for all who look for it,
 * began at a time: in one word, so that whoever reads meanwhile finds all of it or nothing. Of the
 * time there are the last bits, some minutes. */
#define PROFILE_STAMP_TIME ((UINT64_C(1) << 40) - 1)
static inline uint64_t profile_stamp(uint64_t id, uint64_t time)
{
    return ((id << 22 ^ id << 61) & ~PROFILE_STAMP_TIME) | (time & PROFILE_STAMP_TIME);
}

/* A communicator by the number that it has on all members. */
struct profile_comm_name {
    uint32_t comm; /* 0: free */
    char text[PROFILE_NAME];
};

/* What a call did in the message or the collective `id`; bits. */
enum profile_part {
    PROFILE_SENDS = 1,    /* its send began in this call; */
    PROFILE_SENT = 2,     /* ended, which needs its receiver to have asked for it */
    PROFILE_RECEIVED = 4, /* its receive ended, which needs its sender to have sent; it had begun at
                             `posted` */
    PROFILE_MEETS_ALL = 8,   /* a collective that nobody leaves before all have come, */
    PROFILE_MEETS_ROOT = 16, /* before the root has come, */
    PROFILE_IS_ROOT = 32,    /* this is the root, */
    PROFILE_ROOT_MEETS = 64, /* ... which does not leave before all have come */
    PROFILE_MORE = 128,      /* no call, but a further part of the next one with the same begin */
    PROFILE_COMES = 256,     /* it came to the collective in this call; */
    PROFILE_LEAVES = 512,    /* left it: one that does not block in a later call */
    PROFILE_OPEN = 1024      /* it had not ended when the job did; mpiexec's */
};

/* A call. Of a further part only begin, posted, id and part mean something. */
struct profile_record {
    uint64_t begin, end;
    uint64_t last; /* when the last of those whom it needed did their part; begin: nobody late */
    uint64_t posted;
    uint64_t bytes;
    uint64_t id; /* of a message: the same at both ends; 0: none */
    uint32_t comm;
    int32_t peer; /* in the communicator, as the call has it; PROFILE_NOBODY: it names none */
    int32_t tag;
    int32_t who; /* it waited for */
    uint16_t function, site;
    uint16_t part; /* bits */
    uint8_t cause; /* of waiting */
    uint8_t way;   /* 1 + number of its protocol or algorithm; 0: not known */
};
#define PROFILE_NOBODY  INT32_MIN
#define PROFILE_ANYBODY (-1) /* MPI_ANY_SOURCE */

/* Of a call under way its function and the number of its place. */
static inline unsigned profile_open_word(unsigned function, unsigned site)
{
    return (function + 1) << 16 | site;
}

struct profile_rank {
    alignas(64) uint64_t begin, end; /* when MPI_Init returned, MPI_Finalize was called; 0: not */
    double computed;    /* virtual time: seconds charged between them; < 0: not known */
    uint64_t recorded;  /* records ever written; the ring holds the latest */
    atomic_ullong came; /* when it came into MPI, the last time */
    atomic_uint open;   /* the call that then began: profile_open_word; 0: it has ended */
    atomic_flag busy;   /* a thread writes */
    alignas(64) atomic_ullong blamed[PROFILE_CAUSES]; /* ticks that others waited for it: by them */
    alignas(64) struct profile_wait wait[PROFILE_WAITS];
    struct profile_comm_name comm[PROFILE_COMMS];
    char way[PROFILE_WAYS][PROFILE_NAME];
    struct profile_function function[PROFILE_FUNCTIONS];
    struct profile_site site[PROFILE_SITES];
    atomic_ullong event[PROFILE_EVENTS]; /* the latest, by id modulo that: stamps */
};

#endif
