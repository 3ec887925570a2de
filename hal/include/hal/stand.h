/* SPDX-License-Identifier: MIT */
/* Hosted ports only: how the ranks of a job stand, when nothing goes on any more or the time is up.
 * The layer of the programs says what each rank is in, the port adds from where in the program it
 * was called, and hal_stand_explain tells in a few lines who waits for whom. */
#ifndef HAL_STAND_H
#define HAL_STAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HAL_STAND_RANKS 16384 /* ranks that can be told apart; those beyond are nobody's members */
#define HAL_STAND_SITES 4     /* callers of the library, innermost first */

/* For whom a rank waits. */
enum hal_wait {
    HAL_WAIT_NONE, /* for nobody: it computes */
    HAL_WAIT_ONE,  /* for `peer` */
    HAL_WAIT_ANY,  /* for one of the members, whoever it is */
    HAL_WAIT_ALL /* for those of the members that are not in the same call of the same context, nor
                    * in a later one of it */
};

struct hal_stand {
    int rank;
    enum hal_wait wait;
    bool asks; /* it does not wait, but asks again and again (MPI_Test) */
    bool full; /* it takes no messages: its cluster has no memory left for them */
    int peer;
    uint32_t context; /* of the communicator, the same number on all its ranks */
    uint32_t number;  /* of the call that all members make: how many of them it has begun there */
    int pid;          /* the process in which `site` lies; the port's */
    char call[32];    /* "MPI_Recv"; "": none */
    char about[96];   /* the rest: "peer 1, tag 2, 4 bytes, MPI_COMM_WORLD" */
    char near[96];    /* the message that almost matched: "rank 0 sent tag 1, ..."; "": none */
    /* The send without whose end the rank does not go on, if its call is not that send: "rank 0
     * sent rank 1 a message of tag 2, ..."; "": none. */
    char unreceived[128];
    uint64_t sent;   /* return address of where it was started; 0: unknown */
    char lacks[192]; /* what its sends wait for that is no receiver, and what helps; "": nothing */
    uint64_t site[HAL_STAND_SITES]; /* return addresses outside the library; 0: none */
    uint64_t members[HAL_STAND_RANKS / 64];

    /* From where `site` is found: the core that the rank's thread is on, and the stack pointer that
     * it was left with, NULL if the thread is the one that the core runs. */
    int core;
    const void *sp;
};

/* Fills in number i (from 0) of the calling cluster's ranks, all but `site` and `pid`, *s being
 * cleared; false: there is no such rank any more. Like the reporter of hal/report.h it may run at
 * any instant, takes no lock and never waits. */
typedef bool hal_stand_function(void *arg, int i, struct hal_stand *s);

/* Registers the calling cluster's function; the last one wins. */
void hal_stand_register(hal_stand_function *stand, void *arg);

/* What is known besides how the ranks stand. */
struct hal_stand_about {
    const char *title;   /* what the text begins with */
    const char *missing; /* of a rank that is not among them: "has ended" */
    bool over; /* nothing can happen any more: who is where all have come does not go on either */
};

/* Writes at most eight lines about n ranks into text (ended by 0), of which the first begins with
 * the title: the shortest cycle of ranks that wait for each other, or for whom the others wait;
 * their calls, with file and line; the send that nobody receives; the message that almost matched;
 * who cannot take messages, or lacks something. May start a process (addr2line). */
void hal_stand_explain(const struct hal_stand *s, int n, const struct hal_stand_about *about,
                       char *text, size_t size);

#endif
