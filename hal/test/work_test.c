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

static void boot(void *arg)
{
    (void)arg;
    bool modelled = strcmp(hal_port_name, "sim") == 0;
    uint64_t start = hal_clock_cycles(), spent;
    hal_work(0);
    CHECK(!modelled || hal_clock_cycles() == start);
    hal_work(CYCLES);
    spent = hal_clock_cycles() - start;
    CHECK(modelled ? spent == CYCLES : spent < hal_clock_hz());
    /* Four cores at once take as long as one. */
    for (int core = 1; core < 4; core++) {
        CHECK_EQ(hal_core_start(core, entry, NULL), 0);
    }
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

int main(void)
{
    CHECK_EQ(contract_run(boot), 0);
    return 0;
}
