/* SPDX-License-Identifier: MIT */
/* Events. A hart that has nothing to do executes wfi with interrupts disabled: a pending software
 * or timer interrupt then ends the wfi, but nothing is interrupted, so there is no moment between a
 * look and the sleep.
 *
 * rv_noc()->awake counts the harts that may still do something by themselves: in its lower half
 * these less the clusters (so that none needs to be counted at the start), in the upper half how
 * often one was added. A hart that sleeps without a deadline is not among them, a transfer of the
 * engine is. If none is left and no event is pending, nothing can ever happen any more. */
#include "riscv.h"

#include <base/error.h>
#include <hal/clock.h>
#include <hal/core.h>
#include <hal/event.h>

#define ONE_MORE ((UINT64_C(1) << 32) + 1)

static bool any_pending(void)
{
    for (int c = 0; c < hal_machine_clusters(hal_machine()); c++) {
        if (atomic_load(&rv_noc()->cluster[c].ended) != 0) {
            continue;
        }
        for (int hart = rv_hart(c, 0); hart < rv_hart(c + 1, 0); hart++) {
            if (atomic_load(&rv_noc()->hart[hart].event) != 0) {
                return true;
            }
        }
    }
    return false;
}

void rv_awake_more(void)
{
    atomic_fetch_add(&rv_noc()->awake, ONE_MORE);
}

void rv_awake_less(void)
{
    uint64_t now = atomic_fetch_sub(&rv_noc()->awake, 1) - 1;
    int clusters = hal_machine_clusters(&rv_board()->machine);
    if ((uint32_t)now + (uint32_t)clusters != 0 || any_pending() ||
        atomic_load(&rv_noc()->awake) != now) {
        return;
    }
    atomic_store(&rv_noc()->stuck, 1);
    for (int i = 0; i < clusters; i++) {
        if (atomic_load(&rv_noc()->cluster[i].ended) == 0) {
            rv_raise(rv_hart(i, 0));
        }
    }
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

void rv_raise_noc(int cluster)
{
    uint64_t cores = atomic_load(&rv_noc()->cluster[cluster].cores);
    int first = rv_hart(cluster, 0);
    for (uint64_t left = cores; left != 0; left &= left - 1) {
        int hart = first + __builtin_ctzll(left);
        if (atomic_load(&rv_noc()->hart[hart].asleep) == RV_ASLEEP) {
            rv_raise(hart);
            return;
        }
    }
    for (uint64_t left = cores; left != 0; left &= left - 1) {
        rv_raise(first + __builtin_ctzll(left));
    }
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
    return atomic_load(&h->event) != 0 || (w != NULL && b_watch_due(w)) ||
           (deadline != HAL_NEVER && rv_cycles() >= deadline);
}

/* True: it slept without a deadline, and so does not count as awake. */
static bool sleep(struct rv_hart *h, uint64_t deadline, const struct b_watch *w)
{
    bool left = false;
    int self = rv_self();
    *rv_mtimecmp(self) = ticks_of(deadline);
    while (!over(h, deadline, w)) {
        *rv_msip(self) = 0;
        RV_ORDER();
        if (over(h, deadline, w)) {
            break;
        }
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
    if (w != NULL) {
        atomic_store(&w->asleep, 1);
    }
    atomic_store(&h->asleep, RV_ASLEEP);
    if (sleep(h, deadline, w)) {
        rv_awake_more(); /* before the event is taken, for who counts */
    }
    atomic_store(&h->asleep, RV_AWAKE);
    if (w != NULL) {
        atomic_store(&w->asleep, 0);
    }
    atomic_exchange(&h->event, 0);
    if (atomic_load(&rv_noc()->cluster[rv_cluster].ended) != 0) {
        rv_park();
    }
    if (atomic_load(&rv_noc()->stuck) != 0) {
        rv_report_stuck();
    }
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
    if (cores == 0 || (n < 64 && cores >> n != 0)) {
        return -B_EINVAL;
    }
    atomic_store(&rv_noc()->cluster[rv_cluster].cores, cores);
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

bool hal_event_relax(void)
{
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

_Noreturn void rv_park(void)
{
    rv_awake_less();
    RV_WRITE(mie, 0);
    for (;;) {
        __asm__ volatile("wfi");
    }
}
