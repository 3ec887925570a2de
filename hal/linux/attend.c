/* SPDX-License-Identifier: MIT */
/* Attention: one word of the cluster. Whoever has sent something urgent sets URGED, and wakes the
 * helper if that is new, the core is AWAY, and the helper sleeps. URGED stays until the core goes
 * away the next time, which is then told to look if it has not yet seen what came, or the helper
 * takes it: so nothing is lost, and a core that goes away looks for nothing if nothing was sent.
 * What was sent before URGED was set is seen by who finds it: all accesses are sequentially
 * consistent.
 *
 * To wake a thread costs both sides more than a message, and most cores that are away come back at
 * once, as between MPI_Irecv and MPI_Wait. So a helper that was woken does not sleep again soon:
 * for some time it TICKS, looks at the word by itself now and then, and nobody wakes it. And it
 * does nothing for a core that comes back: WENT, the upper bits of the word, counts how often the
 * core went away, and the helper acts if it still is away for the same time when it looks again.
 * Else it would begin a copy, beside a core that polls, for which that core then waits. As each
 * look interrupts somebody, too, it looks the more seldom the longer the core comes and goes. */
#include "port.h"

#include <hal/attend.h>
#include <hal/clock.h>

/* Nanoseconds: how soon a helper looks again whether a core stays away for which it has something
 * to do; else how often it looks, at first and at last, and after how many in vain it sleeps. */
enum { AGAIN = 50000, TICK = 500000, TICK_MOST = 4000000, TICKS = 20000000 };

bool hal_attend_possible(void)
{
    return lx.job != NULL;
}

void lx_attend(struct lx_header *h, int to)
{
    atomic_uint *word = &lx_cluster(h, to)->attention;
    if ((atomic_load(word) & LX_URGED) == 0 &&
        atomic_fetch_or(word, LX_URGED) % LX_WENT == LX_AWAY) {
        lx_futex_wake(word);
    }
}

void hal_attend_urge(int to)
{
    lx_attend(lx.job, to);
}

bool hal_attend_away(void)
{
    unsigned before = atomic_load(&lx.self->attention), now;
    do {
        now = (before & ~(unsigned)LX_URGED) | LX_AWAY;
    } while (!atomic_compare_exchange_weak(&lx.self->attention, &before, now + LX_WENT));
    return (before & LX_URGED) == 0 || !lx_event_arrived(0);
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
    unsigned went = 0; /* at the last look */
    for (long tick = TICK, ticked = 0;;) {
        unsigned now = atomic_load(word);
        bool stays = now / LX_WENT == went && (now & LX_AWAY) != 0;
        went = now / LX_WENT;
        if (stays && (now & LX_URGED) != 0) {
            unsigned taken = (now & ~(unsigned)(LX_AWAY | LX_URGED)) | LX_TICKS;
            if (atomic_compare_exchange_strong(word, &now, taken)) {
                return;
            }
        } else if ((now & (LX_AWAY | LX_URGED)) == (LX_AWAY | LX_URGED)) {
            atomic_fetch_or(word, LX_TICKS);
            lx_nap(AGAIN);
        } else if ((now & LX_TICKS) == 0) {
            if (lx_futex_wait(word, now, HAL_NEVER)) {
                atomic_fetch_or(word, LX_TICKS);
            }
            tick = TICK;
            ticked = 0;
        } else if (ticked < TICKS) {
            ticked += tick;
            lx_nap(tick);
            tick = stays || tick >= TICK_MOST ? TICK : 2 * tick;
        } else {
            atomic_compare_exchange_strong(word, &now, now & ~(unsigned)LX_TICKS);
        }
    }
}
