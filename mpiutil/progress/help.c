/* SPDX-License-Identifier: MIT */
/* Help while a program computes: mpiutil/help.h. What a rank has under way is asked only when a
 * call of MPI ends, so nothing is counted for messages. */
#include <sys/k_thread.h>

#include "progress/progress.h"
#include "protocol/protocol.h"

#define HELPS 1000 /* most rounds of mpu_help_give before others of the process have a turn */

void mpu_help_from(struct mpu_rank *r, struct mpu_help *h)
{
    r->help = h;
}

void mpu_help_bar(struct mpu_rank *r, int more)
{
    struct mpu_help *h = r->help;
    if (h)
        h->barred += more;
}

bool mpu_help_needed(const struct mpu_rank *r)
{
    const struct mpu_help *h = r->help;
    if (!h || !r->life.started || h->barred)
        return false;
    return h->flows || r->outbox.first || !mpu_announced_idle(r) ||
           mpu_match_awaits(&r->match, h->above);
}

bool mpu_help_pending(const struct mpu_rank *r)
{
    return r->help && r->life.started &&
           (r->bell.rung || atomic_load_explicit(&r->bell.tasks, memory_order_relaxed));
}

bool mpu_helping(const struct mpu_rank *r)
{
    const struct mpu_help *h = r->help;
    return h && h->helping;
}

/* The kernel first: it rings. */
void mpu_help_give(struct mpu_rank *r)
{
    struct mpu_help *h = r->help;
    bool any = true;
    if (!h || !r->life.started)
        return;
    h->helping = true;
    for (int i = 0; any && i < HELPS; i++) {
        k_thread_yield();
        any = mpu_poll(r);
    }
    h->helping = false;
}
