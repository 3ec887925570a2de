/* SPDX-License-Identifier: MIT */
/* A multicast under way, as its rank sees it, inside of this folder. */
#ifndef MPIUTIL_SEGMENT_CASTER_H
#define MPIUTIL_SEGMENT_CASTER_H

#include "segment/leaders.h"
#include "segment/standing.h"

struct casting {
    struct mpu_await await; /* whatever it waits for */
    struct mpu_multicasts *at;
    struct mpu_cast *cast;
    struct cast_entry *entry;
    struct mpu_standing *standing; /* its waits stand; NULL: they are waited for */
    uint32_t needs, from; /* root: what all must have done; the first rank that may not have */
    uint32_t chunk;       /* of a stream: the one under way */
    bool at_once;         /* the rank has told where it is when it began, and tells at the end */
    bool filled;          /* root: the entry */
};

/* The rank has done all calls before this one: tells roots that wait for room. */
void mpu_casting_tell(struct casting *c, uint32_t number);

/* Filled in up to `standing`, but for the entry: begins, and goes on as long as nothing is to come.
 * False: it has failed, or a wait stands; when that is over it goes on with mpu_casting_go_on. */
bool mpu_casting_begin(struct casting *c);
bool mpu_casting_go_on(struct casting *c);

struct mpu_caster {
    struct mpu_segment *segment;
    struct mpu_rank *rank;
    struct mpu_multicasts *at;
    struct mpu_cast_place place;
    struct mpu_standing standing;
    struct casting now;
};

#endif
