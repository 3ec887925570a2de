/* SPDX-License-Identifier: MIT */
/* Progress: a rank has one bell, and handles whatever rang it. Functions run on the rank's thread,
 * those marked "core" on any thread of its core. */
#ifndef MPIUTIL_PROGRESS_H
#define MPIUTIL_PROGRESS_H

#include <sys/k_crowd.h>

#include "progress/flow.h"
#include "rank/rank.h"
#include "transport/lane.h"

/* Sees that what arrives next rings the bell, where that takes something. */
void mpu_land(struct mpu_rank *r);

/* Handles everything that happened since the last call; false if nothing had. */
bool mpu_progress(struct mpu_rank *r);

/* Core: whether the rank is in mpu_rest; the rank: notes what it does (progress/stall.h). */
static inline bool mpu_waits(const struct mpu_rank *r)
{
    return atomic_load_explicit(&r->waits, memory_order_relaxed) != MPU_RUNS;
}

static inline void mpu_note(struct mpu_rank *r, unsigned char what)
{
    atomic_store_explicit(&r->waits, what, memory_order_relaxed);
}

/* The rank waits until its bell is rung, or, unless it is NULL, the crowd released. */
void mpu_rest(struct mpu_rank *r, struct k_crowd *crowd);

/* Core: gives a message to the matching queues, and to its protocol if somebody asked for it. */
void mpu_deliver(struct mpu_rank *r, struct mpu_arrival *a);

/* Core: hands an arrival of any kind to who handles it. */
void mpu_arrived(struct mpu_rank *r, struct mpu_arrival *a);

/* Charges r the price of the comparisons of envelopes in m since there were `before`. */
void mpu_charge_compared(struct mpu_rank *r, uint64_t n);
static inline void mpu_charge_match(struct mpu_rank *r, const struct mpu_match *m, uint64_t before)
{
    if (r->cluster->info.match_cycles)
        mpu_charge_compared(r, m->compared - before);
}

/* Core: the posted receive that takes the message with this header, taken out of its list; NULL:
 * none. One of the two ranks pays for the comparisons. */
struct mpu_request *mpu_expected(struct mpu_rank *to, const struct mpu_wire *w,
                                 struct mpu_rank *pays);

/* Core: a message that no posted receive takes goes to the unexpected ones. */
void mpu_unexpected(struct mpu_rank *r, struct mpu_arrival *a);

/* Core: the request is done; its rank wakes up if it waits for it. _complete: the same, inline. */
void mpu_finish(struct mpu_request *q, int error);
static inline void mpu_complete(struct mpu_request *q, int error)
{
    struct mpu_rank *r = q->rank;
    struct mpu_flow *flow = q->flow;
    q->error = error;
    atomic_store_explicit(&q->done, true, memory_order_release);
    if (flow)
        mpu_flow_done(flow);
    else if (mpu_waits(r) && (!r->awaited || r->awaited == q))
        mpu_ring(r);
}

/* Core: hands an arrival to a world rank of the cluster, in order: delivered at once on the same
 * core. In transport/lane.c. */
void mpu_local_push(struct mpu_rank *r, int to, struct mpu_arrival *a);

/* Ends the job: the layers below failed in a way from which a message cannot be saved. */
_Noreturn void mpu_fail(const struct mpu_rank *r, const char *what, int error);

#endif
