/* SPDX-License-Identifier: MIT */
/* Help, from the side of messages and flows. mpiutil/help.h tells what it is. */
#ifndef MPIUTIL_REQUEST_HELP_H
#define MPIUTIL_REQUEST_HELP_H

#include <mpiutil/flow.h>
#include <mpiutil/help.h>

#include "rank/rank.h"

/* Rank's thread: q was started. */
static inline void mpu_help_message(struct mpu_rank *r, struct mpu_request *q)
{
    struct mpu_help *h = r->help;
    if (h && q->size > h->above && !mpu_done(q))
        h->asked = true;
}

/* Rank's thread: a flow begins (1), is over (-1). */
static inline void mpu_help_flow(const struct mpu_flow *f, int more)
{
    struct mpu_help *h = f->rank->help;
    if (!h || f->quiet)
        return;
    h->flows += more;
    h->barred += f->calls ? more : 0;
    h->asked |= more > 0;
}

#endif
