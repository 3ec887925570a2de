/* SPDX-License-Identifier: MIT */
/* The energy model of mppa256 against what was measured on the board: below 10 W with all cores
 * busy (ho-2015), 8 to 8.5 W when KM runs on 192 ranks (uller-2021, 7.2.4); less when all wait. */
#include "contract_run.h"

#include <hal/work.h>

#define CYCLES 4000000

static int busy_cores; /* per compute cluster, besides the master core; -1: every core there is */

static void works(void *arg)
{
    (void)arg;
    hal_work(CYCLES);
}

static void boot(void *arg)
{
    (void)arg;
    uint64_t end = hal_clock_cycles() + CYCLES;
    int cores = hal_machine_cores(hal_machine(), hal_cluster());
    int n = hal_machine_is_io(hal_machine(), hal_cluster()) ? 0 : busy_cores;
    for (int core = 1; core <= (busy_cores < 0 ? cores - 1 : n); core++)
        CHECK_EQ(hal_core_start(core, works, NULL), 0);
    if (busy_cores < 0)
        hal_work(CYCLES);
    while (hal_clock_cycles() < end)
        hal_event_wait(end);
}

static double watts(int busy)
{
    struct hal_machine m;
    struct hal_options o;
    struct hal_result r;
    busy_cores = busy;
    contract_load("mppa256", &m, &o);
    CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
    hal_result(&r);
    double w = (r.energy_core + r.energy_noc + r.energy_static) / r.seconds;
    printf("%3d busy cores per cluster: %.2f W\n", busy, w);
    return w;
}

int main(void)
{
    double idle = watts(0), km = watts(12), all = watts(-1);
    CHECK(idle > 4 && idle < 7);
    CHECK(km > 8 && km < 8.5);
    CHECK(all > km && all < 10);
    return 0;
}
