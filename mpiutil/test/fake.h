/* SPDX-License-Identifier: MIT */
/* A world of a few ranks in one thread, for tests of what mpiutil does between clusters. Each rank
 * is a real one (rank/rank.h) in a real cluster of its own; below them are no kernel and no
 * network, but what this file has: the answers to kernel calls, a board, and a transport that keeps
 * what is posted in a queue for each pair of ranks. Nothing moves by itself: fake_step does one of
 * the things that could happen next, chosen by the seed, so that a few thousand seeds try as many
 * ways in which messages cross. One world at a time. */
#ifndef MPIUTIL_TEST_FAKE_H
#define MPIUTIL_TEST_FAKE_H

#include <test/check.h>

#include "progress/progress.h"
#include "protocol/hold.h"
#include "protocol/protocol.h"
#include "transport/lane.h"
#include "transport/transport.h"

#define FAKE_RANKS 8 /* most in a world */

struct fake_shape {
    int ranks;
    /* Bytes of memory for rings and slabs that the clusters share; then messages go by the real
     * transport/memory.c, else (0) by the fake one. */
    size_t board;
    int outbox;           /* fake transport: messages of a rank under way that make it busy; 0: 3 */
    int window, announce; /* 0: those that mpiutil finds */
    uint32_t eager, split, lazy, lazy_bytes; /* limits, as a machine file has them */
    uint32_t lane;                           /* bytes of a ring on the board */
    bool refuses;                            /* no cluster reads memory of others (k_board_read) */
    bool oversubscribed;                     /* ... or has processors of its own */
};

/* Makes a world; and its end, after which a new one may begin. */
void fake_begin(const struct fake_shape *s, uint32_t seed);
void fake_end(void);

struct mpu_rank *fake_rank(int number);
const struct mpu_comm *fake_comm(int rank); /* all ranks by number; one of two contexts */
const struct mpu_comm *fake_other(int rank);

/* A number of 0 .. n - 1 that the seed gives. */
uint32_t fake_random(uint32_t n);

/* Does one thing: a message arrives, the bytes of an allowed one move, or a rank handles what rang.
 * False: nothing can happen any more. _settle: until then. _some: a few of them, perhaps none. */
bool fake_step(void);
void fake_settle(void);
void fake_some(void);

/* The rank computes from now on, and handles nothing that rings; false: no more. */
void fake_computes(int rank, bool computes);

/* The clusters have no memory from now on but what their ranks have already; false: they have. */
void fake_full(bool full);

/* A rank may wait from now on: others() is called until it is woken, and does one thing of those
 * that could happen next; false: there is none. Without it nobody may wait. */
void fake_when_waiting(bool (*others)(void));

/* Fake transport: messages of this kind from one rank to another that have not arrived. */
int fake_under_way(int from, int to, enum mpu_kind kind);

/* What mpiutil counted by this name (k_count) since the world began. */
uint64_t fake_counted(const char *name);

/* Fails unless the world is as if nothing had ever been sent: no send waits anywhere, nothing is
 * held, wanted or unexpected, and all credit is there or owed, less than would be told. */
void fake_check_quiet(void);

/* CHECK, and the line tells the seed. */
#define CHECK_SEED(condition)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fake_failed(__FILE__, __LINE__, #condition);                                           \
    } while (0)
_Noreturn void fake_failed(const char *file, int line, const char *what);

#endif
