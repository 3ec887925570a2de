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
 * core went away, and the helper looks whether it still is away for the same time some moments
 * later. Else it would begin a copy, beside a core that polls, for which that core then waits. */
#include "port.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <hal/attend.h>
#include <hal/clock.h>

/* How often a helper that is awake looks, and how many times in vain before it sleeps. */
enum { TICK_NS = 500000, TICKS = 40 };
enum { STAYS_NS = 50000 }; /* a core that is away for so long computes */

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

static void nap(long ns)
{
    const struct timespec t = {.tv_nsec = ns};
    syscall(SYS_nanosleep, &t, NULL); /* of this thread, whatever program it is in */
}

void hal_attend_wait(void)
{
    atomic_uint *word = &lx.self->attention;
    for (int ticks = 0;;) {
        unsigned now = atomic_load(word);
        if ((now & (LX_AWAY | LX_URGED)) == (LX_AWAY | LX_URGED)) {
            nap(STAYS_NS);
            unsigned taken = (now & ~(unsigned)(LX_AWAY | LX_URGED)) | LX_TICKS;
            if (atomic_compare_exchange_strong(word, &now, taken)) {
                return;
            }
            atomic_fetch_or(word, LX_TICKS);
            ticks = 0;
            nap(TICK_NS);
        } else if ((now & LX_TICKS) == 0) {
            if (lx_futex_wait(word, now, HAL_NEVER)) {
                atomic_fetch_or(word, LX_TICKS);
                ticks = 0;
            }
        } else if (ticks++ < TICKS) {
            nap(TICK_NS);
        } else {
            atomic_compare_exchange_strong(word, &now, now & ~(unsigned)LX_TICKS);
        }
    }
}
