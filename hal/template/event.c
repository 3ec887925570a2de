/* SPDX-License-Identifier: MIT */
/* To write: a latched flag per core; wait = disable interrupts, look at the flag, wait-for-
 * interrupt, enable; the deadline is the core's timer; notify = set the flag, then an interrupt
 * to the core if it sleeps. The order "set, then look whether it sleeps" against "say that I
 * sleep, then look at the flag" is what keeps wake-ups from being lost. To watch a word: the same
 * with its `asleep`. Here a wait returns at once, as it may. */
#include <hal/event.h>

#include <base/error.h>

#include "missing.h"

void hal_event_wait(uint64_t deadline)
{
    MISSING();
    (void)deadline;
}

void hal_event_watch(uint64_t deadline, struct b_watch *w)
{
    (void)w;
    hal_event_wait(deadline);
}

void hal_event_notify(int core)
{
    MISSING();
    (void)core;
}

int hal_event_noc(uint64_t cores)
{
    MISSING();
    (void)cores;
    return -B_ENOSYS;
}

uint64_t hal_event_spin(void)
{
    return 0;
}

bool hal_event_oversubscribed(void)
{
    return false;
}

bool hal_event_naps(void)
{
    return false;
}

bool hal_event_relax(bool waits)
{
    (void)waits;
    return false;
}
