/* SPDX-License-Identifier: MIT */
/* Lanes: how messages get from one core of a cluster to another. Each core has a ring of cache
 * lines that all other cores fill and that the core watches while it has nothing to do, so a short
 * message moves one line. docs/matching.md, Between cores. Functions are called on the
 * thread of r. */
#ifndef MPIUTIL_PROGRESS_LANE_H
#define MPIUTIL_PROGRESS_LANE_H

#include "rank/rank.h"

#define MPU_LINE_DATA 24 /* bytes of a message in its first line */
#define MPU_LINE_MORE 60 /* ... and in each further one */

struct mpu_line {
    _Atomic(uint32_t) turn; /* how often a line of the lane was filled so far; written last */
    /* In further lines all after `turn` is data. */
    uint16_t to;  /* rank, by its place in the cluster */
    uint8_t load; /* enum load: lane.c */
    union {
        void *pointer;
        struct {
            struct mpu_wire wire;
            uint8_t data[MPU_LINE_DATA];
        };
    };
};
_Static_assert(sizeof(struct mpu_line) == 64, "a line");

struct mpu_lane {
    /* The core only. */
    uint32_t taken;            /* lines so far */
    uint32_t until;            /* of these must be taken before `late` */
    struct mpu_arrival *late;  /* came by the inbox, oldest first */
    struct mpu_arrival end;    /* of the inbox while messages from there are late */
    struct mpu_arrival *cells; /* free: where a message from a line waits until it is received */
    uint32_t cells_free;
    int pages; /* of such cells, beside the first */
    struct b_watch watch;

    /* Senders. */
    _Alignas(KERN_LINE) _Atomic(uint32_t) tail; /* lines that were given to senders */
    _Atomic(uint32_t) room;                     /* `head` as one of them saw it */

    /* Written by the core, read by senders who find no room: lines that may be filled again. */
    _Alignas(KERN_LINE) _Atomic(uint32_t) head;

    /* Constant. */
    _Alignas(KERN_LINE) uint32_t lines; /* a power of two */
    uint32_t cell;                      /* bytes of a cell */
    int pages_most;
    _Alignas(KERN_LINE) struct mpu_line line[];
};

/* Bytes of a lane with so many bytes of lines and of each cell, and its construction in zeroed
 * memory; 0: none. */
size_t mpu_lane_bytes(uint32_t bytes, uint32_t cell);
void mpu_lane_init(struct mpu_lane *l, uint32_t bytes, uint32_t cell, int pages_most);

/* Sends the message with this header to a world rank of another core; its bytes, at most the local
 * limit, are copied. False, nothing happened: the lane is full. */
bool mpu_lane_message(struct mpu_rank *r, int to, const struct mpu_wire *w, const void *data);

/* Tells world rank `to`, of another core, that its send q is done; false: the lane is full. */
bool mpu_lane_done(struct mpu_rank *r, int to, struct mpu_request *q);

/* Something came from other cores for any rank of this core. */
static inline bool mpu_lane_news(const struct mpu_rank *r)
{
    const struct mpu_core *core = r->at_core;
    return (core->lane && b_watch_due(&core->lane->watch)) ||
           atomic_load_explicit(&core->inbox, memory_order_relaxed);
}

/* Handles what came from other cores for any rank of this core; false: nothing. Lets no other
 * thread run. */
bool mpu_lane_progress(struct mpu_rank *r);

/* A cell of the core's lane is free again. On any thread of the core. */
void mpu_lane_cell_end(struct mpu_lane *l, struct mpu_arrival *a);

#endif
