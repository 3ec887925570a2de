/* SPDX-License-Identifier: MIT */
/* Attention: one word of the cluster. Whoever has sent something urgent sets URGED, and wakes the
 * helper if that is new and the core is AWAY. URGED stays until the core goes away the next time,
 * which is then told to look if it has not yet seen what came, or the helper takes it: so nothing
 * is lost, and a core that goes away looks for nothing if nothing was sent. What was sent before
 * URGED was set is seen by who finds it: all accesses are sequentially consistent. */
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
    if ((atomic_load(word) & LX_URGED) == 0 && atomic_fetch_or(word, LX_URGED) == LX_AWAY) {
        lx_futex_wake(word);
    }
}

void hal_attend_urge(int to)
{
    lx_attend(lx.job, to);
}

bool hal_attend_away(void)
{
    bool urged = (atomic_exchange(&lx.self->attention, LX_AWAY) & LX_URGED) != 0;
    return !urged || !lx_event_arrived(0);
}

void hal_attend_back(void)
{
    atomic_fetch_and(&lx.self->attention, ~(unsigned)LX_AWAY);
}

void hal_attend_begin(void)
{
    lx_core_roam();
}

void hal_attend_wait(void)
{
    atomic_uint *word = &lx.self->attention;
    unsigned both = LX_AWAY | LX_URGED;
    while (!atomic_compare_exchange_strong(word, &both, 0)) {
        lx_futex_wait(word, both, HAL_NEVER);
        both = LX_AWAY | LX_URGED;
    }
}
