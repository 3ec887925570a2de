/* SPDX-License-Identifier: MIT */
/* A core's lane is the receiving end of its ring (shared/ring.h): what comes to its ranks from
 * other cores of its cluster, and from other clusters with which it shares memory
 * (transport/memory.h). Its entries come by a ring that the core watches while it has nothing to
 * do; a message that nobody asked for is copied into a cell of its rank. docs/matching.md, Between
 * cores. Functions are called on the thread of r. */
#ifndef MPIUTIL_TRANSPORT_LANE_H
#define MPIUTIL_TRANSPORT_LANE_H

#include "rank/rank.h"
#include "shared/ring.h"

/* What an entry carries. */
enum mpu_load {
    MPU_LOAD_MESSAGE, /* of the same cluster: the bytes */
    MPU_LOAD_ARRIVAL, /* ... a pointer to where it lies: a cell, or a send that waits */
    MPU_LOAD_DONE,    /* ... a pointer to a send of the receiver's that is done */
    MPU_LOAD_WIRE,    /* of another cluster: header and bytes */
    MPU_LOAD_CELL,    /* ... header, and the place of a cell in shared memory that has the bytes */
    MPU_LOADS
};

struct mpu_lane {
    /* The core only. */
    struct mpu_ring *ring;
    uint32_t taken;           /* entries so far */
    uint32_t refuses;         /* number, from 1 on, of the last one that there was no memory for */
    uint32_t until;           /* of these must be taken before `late` */
    struct mpu_arrival *late; /* came by the inbox, oldest first */
    struct mpu_arrival end;   /* of the inbox while messages from there are late */

    /* Written by the core, rarely; read by the cluster's senders: its memory is short, so what they
     * send should stay with them until it is wanted. */
    _Alignas(KERN_LINE) atomic_bool closed;
};

/* Sends the message with this header to a rank of another core; its bytes are copied. False,
 * nothing happened: it is too long, the lane is full, or closed. */
bool mpu_lane_message(struct mpu_rank *r, const struct mpu_endpoint *to, const struct mpu_wire *w,
                      const void *data);

/* Tells a rank of another core that its send q is done; false: the lane is full. */
bool mpu_lane_done(struct mpu_rank *r, const struct mpu_endpoint *to, struct mpu_request *q);

/* Something came from other cores for any rank of this core. */
static inline bool mpu_lane_news(const struct mpu_rank *r)
{
    const struct mpu_core *core = r->at_core;
    return (core->lane && b_watch_due(&core->lane->ring->watch)) ||
           atomic_load_explicit(&core->inbox, memory_order_relaxed);
}

/* Behind what the core has taken, and may still be busy with, something more lies in its lane,
 * which it must have. */
bool mpu_lane_more(const struct mpu_rank *r);

/* The ranks of the core take nothing from it, as the next entry is a message that their cluster has
 * no memory for. Another thread may ask: then it was so a moment ago. */
static inline bool mpu_lane_refuses(const struct mpu_core *core)
{
    return core->lane && core->lane->refuses == core->lane->taken + 1;
}

/* Handles what came from other cores for any rank of this core; false: nothing. Lets no other
 * thread run. */
bool mpu_lane_progress(struct mpu_rank *r);

/* Core: hands an arrival to a rank of the cluster, in order: delivered at once on the same core. */
void mpu_local_push(struct mpu_rank *r, const struct mpu_endpoint *to, struct mpu_arrival *a);

#endif
