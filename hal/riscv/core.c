/* SPDX-License-Identifier: MIT */
/* Cores of a cluster: a core other than the first waits until it is started. */
#include "riscv.h"

#include <base/error.h>
#include <hal/core.h>
#include <hal/power.h>

/* Of each core, behind what they all have; zero, as all memory, when the machine starts. */
struct start {
    _Atomic(uintptr_t) state;
    void (*entry)(void *arg);
    void *arg;
};
_Static_assert(sizeof(struct start) <= RV_START_BYTES, "each has its place");

enum { IDLE, BUSY, READY };

static struct start *start_of(int core)
{
    return (struct start *)rv_core(hal_machine_cores(hal_machine(), rv_cluster)) + core;
}

int hal_cluster(void)
{
    return rv_cluster;
}

void hal_local_set(void *p)
{
    hal_here_local = p;
}

int hal_core_start(int core, void (*entry)(void *arg), void *arg)
{
    uintptr_t idle = IDLE;
    if (core < 1 || core >= hal_machine_cores(hal_machine(), rv_cluster))
        return -B_EINVAL;
    struct start *s = start_of(core);
    if (!atomic_compare_exchange_strong(&s->state, &idle, BUSY))
        return -B_EBUSY;
    s->entry = entry;
    s->arg = arg;
    rv_awake_more();
    atomic_store(&s->state, READY);
    rv_raise(rv_hart(rv_cluster, core));
    return 0;
}

static void wait_started(struct start *s, struct rv_hart *h)
{
    atomic_store(&h->asleep, RV_NOT_STARTED);
    while (atomic_load(&s->state) != READY) {
        *rv_msip(rv_self()) = 0;
        RV_ORDER();
        if (atomic_load(&s->state) != READY)
            __asm__ volatile("wfi");
    }
    rv_woke(h);
    atomic_store(&h->event, 0);
}

/* The guard of a core's own stack: of the first one as of any stack, of others as much of what the
 * core before has, which no other core looks at, as a register can deny: a power of two,
 * aligned. */
static uintptr_t own_guard(const char *top)
{
    size_t bytes = rv_core(1) - rv_core(0);
    return hal_here_core == 0
               ? rv_guard(top - rv_stack_bytes(), rv_guard_bytes(rv_stack_bytes()))
               : rv_guard((const void *)rv_core(hal_here_core), bytes & (~bytes + 1));
}

_Noreturn void rv_core_begin(char *top)
{
    rv_cage_close(own_guard(top));
    __asm__ volatile("csrc mstatus, %0" ::"r"((uintptr_t)3 << 11)); /* user mode's rights ... */
    RV_SET(mstatus, RV_MPRV);                                       /* ... for loads and stores */
    if (hal_here_core == 0) {
        atomic_store(&rv_noc()->cluster[rv_cluster].cores, 1);
        rv_main();
        hal_power_off(0);
    }
    struct start *s = start_of(hal_here_core);
    wait_started(s, &rv_noc()->hart[rv_self()]);
    s->entry(s->arg);
    rv_park();
}
