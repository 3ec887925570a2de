/* SPDX-License-Identifier: MIT */
/* hal/core.h: who am I, starting cores, the pointer of a cluster. */
#include "contract.h"

#define CORES 4

static _Atomic int ran[8][CORES];
static int locals[8];

static void entry(void *arg)
{
    int cluster = hal_cluster(), core = hal_core();
    CHECK(core > 0 && core < CORES);
    CHECK(arg == &ran[cluster][core]);
    CHECK(hal_local() == &locals[cluster]);
    atomic_fetch_add(&ran[cluster][core], 1);
    hal_event_notify(0);
}

static void boot(void *arg)
{
    int cluster = hal_cluster();
    CHECK(!arg);
    CHECK_EQ(hal_core(), 0);
    CHECK(!hal_local());
    memset((void *)ran[cluster], 0, sizeof ran[cluster]);
    hal_local_set(&locals[cluster]);
    CHECK(hal_local() == &locals[cluster]);
    CHECK_EQ(hal_core_start(0, entry, NULL), -B_EINVAL);
    CHECK_EQ(hal_core_start(-1, entry, NULL), -B_EINVAL);
    CHECK_EQ(hal_core_start(CORES, entry, NULL), -B_EINVAL);
    for (int core = CORES - 1; core > 0; core--) {
        CHECK_EQ(hal_core_start(core, entry, &ran[cluster][core]), 0);
        CHECK_EQ(hal_core_start(core, entry, &ran[cluster][core]), -B_EBUSY);
    }
    for (int core = 1; core < CORES; core++)
        UNTIL(atomic_load(&ran[cluster][core]) == 1);
    /* Their entries returned, or are about to: they stay stopped. */
    CHECK_EQ(hal_core_start(1, entry, &ran[cluster][1]), -B_EBUSY);
    CHECK_EQ(hal_core(), 0);
    CHECK_EQ(hal_cluster(), cluster);
    contract_meet();
    for (int core = 1; core < CORES; core++)
        CHECK_EQ(atomic_load(&ran[cluster][core]), 1);
}

/* A second machine finds nothing of the first. */
CONTRACT({.boot = boot}, {.boot = boot});
