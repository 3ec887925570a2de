/* SPDX-License-Identifier: MIT */
/* Attention: one word of the cluster, AWAY while its core is, RAISED by who has something for it
 * then. That no telling is lost is the argument of event.c, with going away in the place of falling
 * asleep: the core (1) makes the word AWAY, (2) looks at everything once more; who publishes (a)
 * writes slot or counter, (b) reads the word, all sequentially consistent. */
#include "port.h"

#include <hal/attend.h>
#include <hal/clock.h>

bool hal_attend_possible(void)
{
    return lx.job != NULL;
}

void lx_attend(struct lx_header *h, int to)
{
    atomic_uint *word = &lx_cluster(h, to)->attention;
    unsigned away = LX_AWAY;
    if (atomic_load(word) == LX_AWAY && atomic_compare_exchange_strong(word, &away, LX_ATTENTION)) {
        lx_futex_wake(word);
    }
}

void hal_attend_urge(int to)
{
    lx_attend(lx.job, to);
}

bool hal_attend_away(void)
{
    atomic_exchange(&lx.self->attention, LX_AWAY);
    return !lx_event_arrived(0);
}

void hal_attend_back(void)
{
    atomic_store_explicit(&lx.self->attention, LX_BACK, memory_order_relaxed);
}

void hal_attend_begin(void)
{
    lx_core_roam();
}

void hal_attend_wait(void)
{
    atomic_uint *word = &lx.self->attention;
    unsigned raised = LX_ATTENTION;
    while (!atomic_compare_exchange_strong(word, &raised, LX_BACK)) {
        lx_futex_wait(word, raised, HAL_NEVER);
        raised = LX_ATTENTION;
    }
}
