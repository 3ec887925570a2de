/* SPDX-License-Identifier: MIT */
/* What two processors do between them without any library: the yardstick of messages. */
#ifndef OSU_BESIDE_H
#define OSU_BESIDE_H

#include <stddef.h>

#include "osu.h"

/* Memory that two ranks share, whether they share a process or not: two cache lines, two messages
 * of at most `most` bytes. */
struct yard {
    int me; /* 0 or 1 */
    size_t most;
    struct yard_shared *shared;
    char *out, *in; /* a message each: what the other rank may read, and room for the other's */
    unsigned turn;
};

/* Of ranks 0 and 1, which must stand on processors of their own: ends the job, saying so, if they
 * do not, or if time is virtual. Collective. */
struct yard osu_yard(struct osu *o, size_t most);

/* Nanoseconds of one way: a cache line goes to the other processor, which then copies n bytes of
 * the first one's memory; n = 0: the line alone. Mean of `rounds` ways there and back.
 * Collective. */
double osu_yard_ns(struct yard *y, size_t n, int rounds);

/* Gives the shared memory back. */
void osu_yard_end(struct yard *y);

#endif
