/* SPDX-License-Identifier: MIT */
/* Attention. A cluster has three words for it:
 *
 *   away   odd while its core is away; moves each time the core goes or comes. Its core's.
 *   urged  something urgent was sent to it, and its helper has not looked after it. Set by whoever
 *          sent that, afterwards; cleared by the helper alone, before it looks.
 *   ticks  the helper looks at the two by itself now and then. Cleared by the helper before it
 *          sleeps, which it does as long as this is 0; who sets it wakes the helper.
 *
 * Who sends something urgent (s1) sends, (s2) sets `urged`, unless it is set, (s3) looks at `away`
 * and `ticks`, and wakes the helper if the core is away and it does not tick. The core (c1) says
 * that it is away, (c2) looks at `urged` and `ticks`, and wakes the helper in the same way. The
 * helper (h1) clears `ticks`, (h2) looks at `urged` and `away`, and sleeps unless both are set. All
 * accesses but the core's coming back are sequentially consistent, so what is urgent is not lost
 * while a core stays away:
 *  - `urged` is set after `away` was: (s3) finds the core away. If it finds no tick, it wakes the
 *    helper. If it finds one, it comes before the (h1) that ends it, and (h2) finds both.
 *  - `away` is set after `urged` was: the same with (c2) in place of (s3).
 *  - `urged` was set before it was sent: (s1) comes before (s2), which comes before the helper
 *    clears `urged`, and it looks after that.
 *
 * So a sender mostly reads one line that is not written meanwhile, and the core writes one that
 * nobody else reads but the helper, when it ticks: neither waits for a line of the other's.
 *
 * To wake a thread costs both sides more than a message, and most cores that are away come back at
 * once, as between MPI_Irecv and MPI_Wait. So a helper that was woken does not sleep again soon:
 * for some time it ticks, and nobody wakes it. And it does nothing for a core that comes back: it
 * acts if `away` is the same when it looks again. Else it would begin a copy, beside a core that
 * polls, for which that core then waits. As each look interrupts somebody, too, it looks the more
 * seldom the longer the core comes and goes. */
#include "port.h"

#include <base/fence.h>
#include <hal/attend.h>
#include <hal/clock.h>

/* Nanoseconds, where each core has a processor: how soon a helper looks again whether a core stays
 * away for which it has something to do; else how often it looks, at first and at last, and after
 * how many in vain it sleeps. */
enum { AGAIN = 50000, TICK = 500000, TICK_MOST = 4000000, TICKS = 20000000 };

bool hal_attend_possible(void)
{
    return lx.job != NULL;
}

/* If it sleeps. */
static void wake_helper(struct lx_cluster *c)
{
    if (atomic_load(&c->ticks) == 0 && atomic_exchange(&c->ticks, 1) == 0)
        lx_futex_wake(&c->ticks);
}

static bool is_away(unsigned away)
{
    return away % 2 != 0;
}

void lx_attend(struct lx_header *h, int to)
{
    struct lx_cluster *c = lx_cluster(h, to);
    b_fence(); /* who sent it may have had none (base/watch.h) */
    if (atomic_load(&c->urged))
        return;
    atomic_store(&c->urged, true);
    if (is_away(atomic_load(&c->away)))
        wake_helper(c);
}

void hal_attend_urge(int to)
{
    lx_attend(lx.job, to);
}

static unsigned away_now(void)
{
    return atomic_load_explicit(&lx.self->away, memory_order_relaxed);
}

void hal_attend_away(void)
{
    atomic_store(&lx.self->away, (away_now() + 1) | 1U);
    if (atomic_load(&lx.self->urged))
        wake_helper(lx.self);
}

void hal_attend_back(void)
{
    atomic_store_explicit(&lx.self->away, (away_now() + 1) & ~1U, memory_order_release);
}

/* Where cores share a processor, so do their helpers: the looks of all of them take no more of it
 * than those of one take where it has a core alone. */
static void nap(long ns)
{
    lx_nap((uint64_t)(ns * lx.share));
}

void hal_attend_begin(void)
{
    lx_core_roam();
}

/* Where a core is away for which there is something to do it looks again after a short time, once;
 * else when the next tick is due. */
void hal_attend_wait(void)
{
    struct lx_cluster *c = lx.self;
    unsigned before = 0; /* `away` at the last look */
    bool again = false;
    long tick = TICK, ticked = 0;
    for (;;) {
        unsigned now = atomic_load(&c->away);
        bool stays = is_away(now) && now == before, awaits = is_away(now) && atomic_load(&c->urged);
        bool sleeps = atomic_load(&c->ticks) == 0;
        before = now;
        if (stays && awaits) {
            atomic_store(&c->ticks, 1);
            atomic_store(&c->urged, false);
            return;
        }
        again = awaits && (sleeps || !again);
        if (again) {
            atomic_store(&c->ticks, 1);
            ticked = sleeps ? 0 : ticked;
            nap(AGAIN);
        } else if (sleeps) {
            lx_futex_wait(&c->ticks, 0, HAL_NEVER);
            tick = TICK;
            ticked = 0;
        } else if (ticked < TICKS) {
            ticked += tick;
            nap(tick);
            tick = stays || tick >= TICK_MOST ? TICK : 2 * tick;
        } else {
            atomic_store(&c->ticks, 0);
        }
    }
}
