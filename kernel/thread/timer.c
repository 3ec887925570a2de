/* SPDX-License-Identifier: MIT */
/* Timers of a core: its threads with a deadline, earliest first. Only the core itself touches
 * them, so they need no lock; a thread woken by another core leaves its timer when it runs
 * again. New deadlines are mostly the latest, so the place is searched from the end. */
#include "sched.h"

#include <hal/clock.h>

uint64_t kern_deadline(uint64_t cycles)
{
    uint64_t now = hal_clock_cycles();
    return cycles < HAL_NEVER - now ? now + cycles : HAL_NEVER;
}

void kern_timer_add(struct kern_core *core, struct kern_thread *t, uint64_t deadline)
{
    struct kern_thread *before = core->timers_last;
    while (before && before->deadline > deadline)
        before = before->timer_prev;
    struct kern_thread *after = before ? before->timer_next : core->timers;
    t->deadline = deadline;
    t->timed = true;
    t->timer_prev = before;
    t->timer_next = after;
    *(before ? &before->timer_next : &core->timers) = t;
    *(after ? &after->timer_prev : &core->timers_last) = t;
}

void kern_timer_remove(struct kern_core *core, struct kern_thread *t)
{
    struct kern_thread *before = t->timer_prev, *after = t->timer_next;
    *(before ? &before->timer_next : &core->timers) = after;
    *(after ? &after->timer_prev : &core->timers_last) = before;
    t->timed = false;
}

bool kern_timer_expire(struct kern_core *core)
{
    bool any = false;
    while (core->timers && core->timers->deadline <= hal_clock_cycles()) {
        struct kern_thread *t = core->timers;
        kern_timer_remove(core, t);
        /* Lost against a waker: the thread is ready already. */
        if (kern_claim(t, KERN_CLAIM_TIMEOUT)) {
            kern_ready(t);
            any = true;
        }
    }
    return any;
}
