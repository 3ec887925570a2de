/* SPDX-License-Identifier: MIT */
/* Cores that share processors: who waits gives others a turn at each look in vain; a program that
 * looks and goes on computing keeps the processor, unless it looks again and again. */
#include <unistd.h>

#include "contract_run.h"

#define TRIES     1000
#define LOOKS     1000000 /* far more than a program needs until it counts as waiting */
#define COMPUTING 2000    /* nanoseconds */

static void compute(void)
{
    uint64_t end = contract_after(COMPUTING);
    while (hal_clock_cycles() < end) {
    }
}

static void boot(void *arg)
{
    int looks = 0, kept = 0;
    (void)arg;
    CHECK(hal_event_oversubscribed() && hal_event_spin() == 0);
    for (int i = 0; i < TRIES; i++)
        CHECK(hal_event_relax(true));
    while (!hal_event_relax(false))
        CHECK(++looks < LOOKS);
    for (int i = 0; i < TRIES; i++) {
        hal_event_relax(true);
        compute();
        kept += !hal_event_relax(false);
    }
    CHECK(kept > 0); /* not in each try: the system may have let others run meanwhile */
}

int main(void)
{
    struct hal_machine m;
    struct hal_options o;
    contract_load("mini", &m, &o);
    m.io_clusters = 0;
    m.compute_clusters = 1;
    m.compute_cores = HAL_CORES_MAX < 64 ? HAL_CORES_MAX : 64;
    while (m.compute_cores * m.compute_clusters <= (uint32_t)sysconf(_SC_NPROCESSORS_ONLN))
        m.compute_clusters++;
    CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
    return 0;
}
