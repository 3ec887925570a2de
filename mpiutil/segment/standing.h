/* SPDX-License-Identifier: MIT */
/* Waits that stand: a rank waits for what others write (segment/sleep.h) while it goes on with
 * other things, until a flow (mpiutil/flow.h) can take its next step. Only where the rank is alone
 * in its cluster.
 *
 * The rank looks at the words wherever it makes progress (mpu_standing_look). Before it sleeps it
 * counts itself among those that sleep, has the kernel watch the words, and looks once more. That
 * lasts until the wait is over: who sleeps again before needs no second time. Functions: the rank's
 * thread; none waits. */
#ifndef MPIUTIL_SEGMENT_STANDING_H
#define MPIUTIL_SEGMENT_STANDING_H

#include <sys/k_board.h>

#include "segment/sleep.h"

struct mpu_standing {
    struct mpu_await *await;
    bool stands;
    bool told;             /* who changes the word tells this cluster: it is watched */
    struct mpu_flow *flow; /* goes on when nothing is pending any more */
    struct mpu_standing *next, **at;
    struct k_watch watch;
};

/* Within a step of the flow. s->await is filled in, and is there until the wait is over. */
void mpu_standing_begin(struct mpu_standing *s);

/* Of one that stands: it ends, though it may not have come; the flow goes on. */
void mpu_standing_end(struct mpu_standing *s);

/* The same: it must be told from now on, also while the program computes. */
void mpu_standing_tell(struct mpu_standing *s);

#endif
