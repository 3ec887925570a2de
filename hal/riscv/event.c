/* SPDX-License-Identifier: MIT */
/* Events. A hart that has nothing to do executes wfi with interrupts disabled: a pending software
 * or timer interrupt then ends the wfi, but nothing is interrupted, so there is no moment between a
 * look and the sleep.
 *
 * Harts that may still do something by themselves are counted: one that begins to sleep without a
 * deadline is gone, one that ends such a sleep came; a transfer of the engine came and will be
 * gone. At the start one is there for each cluster, without having come. If none is left and no
 * event is pending, nothing can ever happen any more. There are two counters that only grow, as not
 * every processor can change more than 32 bits at once: who was the last to go finds as many come,
 * and if none came while it looked for events there was nobody to raise one. */
#include "riscv.h"

#include <base/error.h>
#include <hal/clock.h>
#include <hal/core.h>
#include <hal/event.h>

static bool any_pending(void)
{
    for (int c = 0; c < hal_machine_clusters(hal_machine()); c++) {
        if (atomic_load(&rv_noc()->cluster[c].ended) != 0)
            continue;
        for (int hart = rv_hart(c, 0); hart < rv_hart(c + 1, 0); hart++)
            if (atomic_load(&rv_noc()->hart[hart].event) != 0)
                return true;
    }
    return false;
}

void rv_awake_more(void)
{
    atomic_fetch_add(&rv_noc()->came, 1);
}

void rv_awake_less(void)
{
    uint32_t gone = atomic_fetch_add(&rv_noc()->gone, 1) + 1, came = atomic_load(&rv_noc()->came);
    int clusters = hal_machine_clusters(&rv_board()->machine);
    if (came + (uint32_t)clusters != gone || any_pending() || atomic_load(&rv_noc()->came) != came)
        return;
    atomic_store(&rv_noc()->stuck, 1);
    for (int i = 0; i < clusters; i++)
        if (atomic_load(&rv_noc()->cluster[i].ended) == 0)
            rv_raise(rv_hart(i, 0));
}

void rv_raise(int hart)
{
    struct rv_hart *h = &rv_noc()->hart[hart];
    atomic_store(&h->event, 1);
    if (atomic_load(&h->asleep) != RV_AWAKE) {
        RV_ORDER();
        *rv_msip(hart) = 1;
    }
}

void rv_woke(struct rv_hart *h)
{
    atomic_store(&h->asleep, RV_AWAKE);
    if (atomic_load(&rv_noc()->resting) != 0) {
        atomic_store(&rv_noc()->resting, 0);
        rv_raise(rv_harts());
    }
}

void rv_raise_noc(int cluster)
{
    uintptr_t cores = atomic_load(&rv_noc()->cluster[cluster].cores);
    int first = rv_hart(cluster, 0);
    for (uintptr_t left = cores; left != 0; left &= left - 1) {
        int hart = first + __builtin_ctzl(left);
        if (atomic_load(&rv_noc()->hart[hart].asleep) == RV_ASLEEP) {
            rv_raise(hart);
            return;
        }
    }
    for (uintptr_t left = cores; left != 0; left &= left - 1)
        rv_raise(first + __builtin_ctzl(left));
}

/* The first tick of the timer at which `deadline` has passed. */
static uint64_t ticks_of(uint64_t deadline)
{
    uint64_t hz = hal_machine()->hz;
    return deadline == HAL_NEVER ? UINT64_MAX
                                 : deadline / hz * RV_TICKS_PER_SECOND +
                                       (deadline % hz * RV_TICKS_PER_SECOND + hz - 1) / hz;
}

static bool over(struct rv_hart *h, uint64_t deadline, const struct b_watch *w)
{
    return atomic_load(&h->event) != 0 || (w && b_watch_due(w)) ||
           (deadline != HAL_NEVER && rv_cycles() >= deadline);
}

/* True: it slept without a deadline, and so does not count as awake. */
static bool sleep(struct rv_hart *h, uint64_t deadline, const struct b_watch *w)
{
    bool left = false;
    int self = rv_self();
    rv_timer(self, ticks_of(deadline));
    while (!over(h, deadline, w)) {
        *rv_msip(self) = 0;
        RV_ORDER();
        if (over(h, deadline, w))
            break;
        if (deadline == HAL_NEVER && !left) {
            left = true;
            rv_awake_less();
            continue; /* it may have raised our own event */
        }
        __asm__ volatile("wfi");
    }
    return left;
}

void hal_event_watch(uint64_t deadline, struct b_watch *w)
{
    struct rv_hart *h = &rv_noc()->hart[rv_self()];
    if (w)
        atomic_store(&w->asleep, 1);
    atomic_store(&h->asleep, RV_ASLEEP);
    if (sleep(h, deadline, w))
        rv_awake_more(); /* before the event is taken, for who counts */
    rv_woke(h);
    if (w)
        atomic_store(&w->asleep, 0);
    atomic_exchange(&h->event, 0);
    if (atomic_load(&rv_noc()->cluster[rv_cluster].ended) != 0)
        rv_park();
    if (atomic_load(&rv_noc()->stuck) != 0)
        rv_report_stuck();
    rv_report_asked();
}

void hal_event_wait(uint64_t deadline)
{
    hal_event_watch(deadline, NULL);
}

void hal_event_notify(int core)
{
    rv_raise(rv_hart(rv_cluster, core));
}

int hal_event_noc(uint64_t cores)
{
    int n = hal_machine_cores(hal_machine(), rv_cluster);
    if (cores == 0 || (n < 64 && cores >> n != 0) || cores > UINTPTR_MAX)
        return -B_EINVAL;
    atomic_store(&rv_noc()->cluster[rv_cluster].cores, (uintptr_t)cores);
    return 0;
}

uint64_t hal_event_spin(void)
{
    return 0;
}

bool hal_event_oversubscribed(void)
{
    return true; /* QEMU runs all harts on few threads */
}

bool hal_event_naps(void)
{
    return false;
}

bool hal_event_relax(bool waits)
{
    (void)waits;
    rv_yield();
    return true;
}

/* A wfi that something pending ends at once still ends the turn of the hart. Who waits for an event
 * looks after it has cleared the interrupt, so this hides none. */
void rv_yield(void)
{
    int self = rv_self();
    *rv_msip(self) = 1;
    RV_ORDER();
    __asm__ volatile("wfi");
    *rv_msip(self) = 0;
    RV_ORDER();
}

_Thread_local unsigned rv_turns_left; /* of rv_turn */

_Noreturn void rv_park(void)
{
    rv_awake_less();
    atomic_store(&rv_noc()->hart[rv_self()].asleep, RV_NOT_STARTED);
    RV_WRITE(mie, 0);
    for (;;)
        __asm__ volatile("wfi");
}
