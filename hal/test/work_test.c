/* SPDX-License-Identifier: MIT */
/* hal/work.h: modelled work takes virtual time, of the calling core alone; on machines with real
 * time it is free. */
#include "contract.h"

#include <hal/lock.h>
#include <hal/work.h>

#define CYCLES 1000000

static _Atomic int done[8];

static void entry(void *arg)
{
    (void)arg;
    hal_work(CYCLES);
    atomic_fetch_add(&done[hal_cluster()], 1);
    hal_event_notify(0);
}

static void caller(void *arg)
{
    (void)arg;
    hal_work(CYCLES / 2);
    hal_event_notify(0);
    atomic_fetch_add(&done[hal_cluster()], 1);
}

/* Work that an event ends: a latched one at once, one that comes in the middle, none at all. */
static void boot_event(void *arg)
{
    (void)arg;
    bool modelled = contract_modelled();
    atomic_store(&done[hal_cluster()], 0);
    hal_event_notify(0);
    CHECK_EQ(hal_work_event(CYCLES), modelled ? CYCLES : 0);
    CHECK_EQ(hal_work_event(0), 0);
    uint64_t start = hal_clock_cycles();
    CHECK_EQ(hal_core_start(1, caller, NULL), 0);
    uint64_t left = hal_work_event(CYCLES), passed = hal_clock_cycles() - start;
    CHECK(!modelled || (left > 0 && left <= CYCLES / 2 && left + passed < CYCLES + 100));
    while (atomic_load(&done[hal_cluster()]) == 0)
        hal_event_relax(true);
    start = hal_clock_cycles();
    CHECK_EQ(hal_work_event(CYCLES), 0);
    CHECK(!modelled || hal_clock_cycles() - start >= CYCLES);
}

/* Where time is real, who works may lose the processor meanwhile: what the quickest took counts. */
static void check_cost(bool modelled)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < (modelled ? 1 : 1000) && least >= CYCLES; i++) {
        uint64_t start = hal_clock_cycles();
        hal_work(CYCLES);
        uint64_t spent = hal_clock_cycles() - start;
        least = spent < least ? spent : least;
    }
    CHECK(modelled ? least == CYCLES : least < CYCLES);
}

static void boot(void *arg)
{
    (void)arg;
    bool modelled = contract_modelled();
    uint64_t start = hal_clock_cycles();
    hal_work(0);
    CHECK(!modelled || hal_clock_cycles() == start);
    check_cost(modelled);
    /* Four cores at once take as long as one. */
    for (int core = 1; core < 4; core++)
        CHECK_EQ(hal_core_start(core, entry, NULL), 0);
    start = hal_clock_cycles();
    hal_work(CYCLES);
    UNTIL(atomic_load(&done[hal_cluster()]) == 3);
    CHECK(!modelled || hal_clock_cycles() - start < CYCLES + CYCLES / 10);
    /* Short work with a lock held is allowed. */
    struct hal_lock l;
    hal_lock_init(&l, "work");
    hal_lock(&l);
    hal_work(1000);
    hal_unlock(&l);
    /* An event during the work is kept. */
    hal_event_notify(0);
    hal_work(100);
    hal_event_wait(HAL_NEVER);
}

CONTRACT({.boot = boot}, {.boot = boot_event});
