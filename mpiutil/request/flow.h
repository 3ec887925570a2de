/* SPDX-License-Identifier: MIT */
/* Flows, from the side of messages. mpiutil/flow.h tells what they are. */
#ifndef MPIUTIL_REQUEST_FLOW_H
#define MPIUTIL_REQUEST_FLOW_H

#include <base/assert.h>
#include <mpiutil/flow.h>

#include "rank/rank.h"

/* Rank's thread: a message is started; the flow that it belongs to, NULL: none. */
static inline struct mpu_flow *mpu_flow_join(struct mpu_rank *r)
{
    b_assert(!r->flows.now || r->flows.now->rank == r);
    if (r->flows.now)
        atomic_fetch_add_explicit(&r->flows.now->left, 1, memory_order_relaxed);
    return r->flows.now;
}

/* Any core of the cluster: a message of the flow is done. Nothing of the flow may be touched
 * afterwards: its memory may be gone. */
void mpu_flow_done(struct mpu_flow *f);

#endif
