/* SPDX-License-Identifier: MIT */
/* Help, from the side of messages and flows. mpiutil/help.h tells what it is. */
#ifndef MPIUTIL_PROGRESS_HELP_H
#define MPIUTIL_PROGRESS_HELP_H

#include <mpiutil/flow.h>
#include <mpiutil/help.h>

#include "rank/rank.h"

/* Rank's thread: q was started. */
static inline void mpu_help_message(struct mpu_rank *r, struct mpu_request *q)
{
    if (!LWMPI_SMALL && r->help && q->size > r->help->above && !mpu_done(q))
        r->help->asked = true;
}

/* Rank's thread: a flow begins (1), is over (-1). */
static inline void mpu_help_flow(const struct mpu_flow *f, int more)
{
    struct mpu_help *h = LWMPI_SMALL ? NULL : f->rank->help;
    if (!h)
        return;
    h->flows += more;
    h->barred += f->calls ? more : 0;
    h->asked |= more > 0;
}

#endif
