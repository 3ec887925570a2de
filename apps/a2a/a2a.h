/* SPDX-License-Identifier: MIT */
/* All-to-all in supersteps: in each one every rank sends a number of messages of one size to every
 * other rank; then all meet. The exchange has two forms: mpi.c and ipc.c; a program is linked with
 * one. */
#ifndef A2A_A2A_H
#define A2A_A2A_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/team.h"

struct a2a_options {
    int least, most; /* bytes of a message: least, then twice as many, up to most */
    int messages;    /* to each other rank in a superstep */
    int trials;      /* repetitions of each superstep */
    int window;      /* messages under way at once in each direction */
    bool collective; /* MPI_Alltoall instead of single messages; MPI only */
    bool quick;
};

/* Each message begins with its head; the rest is a pattern that depends on it. */
struct a2a_head {
    uint32_t from, step;
};

enum { A2A_LEAST = sizeof(struct a2a_head), A2A_CYCLE = 256 };

struct a2a {
    struct team team;
    struct a2a_options options;
    uint32_t step;                     /* of this superstep, for all its trials */
    size_t bytes;                      /* of a message in it */
    unsigned char *out;                /* one message of this rank */
    unsigned char *in;                 /* room for a2a_slots messages */
    uint16_t *heard;                   /* of each rank: messages that came in this exchange */
    unsigned char ramp[2 * A2A_CYCLE]; /* what messages are made of: 0, 1, .. 255, 0, .. */
    long wrong;                        /* messages that were not what they should be */
};

/* Supplied by the form: how many messages `in` must hold (and `out`), and one exchange, without the
 * meeting. Every message that came goes through a2a_take. */
extern const bool a2a_has_collective;
int a2a_slots_in(const struct a2a *a);
int a2a_slots_out(const struct a2a *a);
void a2a_exchange(struct a2a *a);

/* Looks at a message that came. */
void a2a_take(struct a2a *a, const unsigned char *message, size_t n);

#endif
