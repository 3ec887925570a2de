/* SPDX-License-Identifier: MIT */
/* Events: a flag per core; a core that sleeps is woken by an interrupt (GICv3), which it takes with
 * interrupts masked, as `wfi` ends for them too. Cores that wait without a deadline are counted:
 * who wakes one counts it as awake at that moment, so when none is awake none will ever be. */
#include <hal/event.h>

#include <stdatomic.h>
#include <stddef.h>

#include <base/error.h>
#include <hal/clock.h>
#include <hal/core.h>
#include <hal/power.h>

#include "port.h"

static struct latch {
    _Alignas(KERN_LINE) atomic_bool raised;
    _Atomic(uint32_t) asleep; /* enum sleep */
} latches[CORES];

enum sleep { AWAKE, FOR_EVER, TO_DEADLINE };

static _Atomic(uint32_t) others; /* of cluster 0: cores awake in the machine, but its first */

static _Atomic(uint64_t) network = 1; /* the cores that take its events */

enum { TIMER = 27, WAKE = 0, NO_INTERRUPT = 1020 };

static volatile uint32_t *gic(uintptr_t at)
{
    return (volatile uint32_t *)at;
}

void port_event_begin(void)
{
    uintptr_t mine = GIC_CORES + (uintptr_t)port_number(hal_cluster(), hal_core()) * GIC_CORE_BYTES;
    *gic(GIC_DISTRIBUTOR) = 0x12; /* group 1, addressed by affinity */
    *gic(mine + 0x14) = 0;        /* the core is awake */
    while (*gic(mine + 0x14) & 4) {
    }
    *gic(mine + 0x10080) = ~0u; /* all of group 1 */
    *gic(mine + 0x10100) = 1u << TIMER | 1u << WAKE;
    __asm__ volatile("msr s3_0_c12_c12_5, %0\n\tisb\n\t" /* ICC_SRE_EL1: system registers */
                     "msr s3_0_c4_c6_0, %1\n\t"          /* ICC_PMR_EL1: all priorities */
                     "msr s3_0_c12_c12_7, %2\n\tisb"     /* ICC_IGRPEN1_EL1 */
                     :
                     : "r"(7l), "r"(0xffl), "r"(1l));
}

/* Takes what woke the core. */
static void acknowledge(void)
{
    uint64_t which;
    __asm__ volatile("msr cntv_ctl_el0, xzr\n\tisb" : : : "memory");
    for (;;) {
        __asm__ volatile("mrs %0, s3_0_c12_c12_0\n\tdsb sy" : "=r"(which) : : "memory");
        if (which >= NO_INTERRUPT)
            return;
        __asm__ volatile("msr s3_0_c12_c12_1, %0\n\tisb" : : "r"(which) : "memory");
    }
}

void port_awake(int more)
{
    if (atomic_fetch_add((_Atomic(uint32_t) *)port_there(0, &others), (uint32_t)more) + more ==
        UINT32_MAX)
        port_report_deadlock();
}

/* It sleeps no more. Whoever woke it has counted it; an interrupt that came late has not. */
static void wake(struct latch *mine)
{
    if (atomic_exchange(&mine->asleep, AWAKE) == FOR_EVER)
        port_awake(1);
}

static void sleep(struct latch *mine, uint64_t deadline)
{
    if (deadline == HAL_NEVER) {
        port_awake(-1);
    } else {
        __asm__ volatile("msr cntv_cval_el0, %0\n\tmsr cntv_ctl_el0, %1\n\tisb"
                         :
                         : "r"(deadline), "r"(1l)
                         : "memory");
    }
    __asm__ volatile("dsb sy\n\twfi" : : : "memory");
    acknowledge();
    wake(mine);
}

/* It shall not sleep after all. */
static void withdraw(struct latch *mine, uint64_t deadline)
{
    if (atomic_exchange(&mine->asleep, AWAKE) == AWAKE && deadline == HAL_NEVER)
        port_awake(-1);
}

void hal_event_watch(uint64_t deadline, struct b_watch *w)
{
    struct latch *mine = &latches[hal_core()];
    while (!(w && b_watch_due(w)) && hal_clock_cycles() < deadline && !atomic_load(&mine->raised)) {
        if (w)
            atomic_store(&w->asleep, 1);
        atomic_store(&mine->asleep, deadline == HAL_NEVER ? FOR_EVER : TO_DEADLINE);
        if (atomic_load(&mine->raised) || (w && b_watch_due(w)))
            withdraw(mine, deadline);
        else
            sleep(mine, deadline);
        if (w)
            atomic_store(&w->asleep, 0);
        port_report_look();
        if (hal_power_ended(hal_cluster()))
            port_stop();
    }
    atomic_store(&mine->raised, false);
}

void hal_event_wait(uint64_t deadline)
{
    hal_event_watch(deadline, NULL);
}

void port_event_raise(int cluster, int core)
{
    struct latch *l = port_there(cluster, &latches[core]);
    atomic_store(&l->raised, true);
    uint32_t how = atomic_exchange(&l->asleep, AWAKE);
    if (how == FOR_EVER)
        port_awake(1);
    if (how != AWAKE) {
        int number = port_number(cluster, core);
        uint64_t to = (uint64_t)(number / 16) << 16 | UINT64_C(1) << number % 16;
        __asm__ volatile("dsb sy\n\tmsr s3_0_c12_c11_5, %0\n\tisb" : : "r"(to) : "memory");
    }
}

void port_event_network(int cluster)
{
    uint64_t chosen = atomic_load((_Atomic(uint64_t) *)port_there(cluster, &network));
    for (int core = 0; core < CORES; core++) {
        struct latch *l = port_there(cluster, &latches[core]);
        if (chosen >> core & 1 && atomic_load(&l->asleep) && !atomic_load(&l->raised)) {
            port_event_raise(cluster, core);
            return;
        }
    }
    for (int core = 0; core < CORES; core++)
        if (chosen >> core & 1)
            port_event_raise(cluster, core);
}

void hal_event_notify(int core)
{
    port_event_raise(hal_cluster(), core);
}

int hal_event_noc(uint64_t cores)
{
    if (cores == 0 || cores >> hal_machine_cores(hal_machine(), hal_cluster()) != 0)
        return -B_EINVAL;
    atomic_store(&network, cores);
    return 0;
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
    __asm__ volatile("yield");
    return false;
}
