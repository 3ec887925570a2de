/* SPDX-License-Identifier: MIT */
/* A cycle at which the whole machine stands still, for who wants to look. It is no event: the order
 * of all events is what it would be without. */
#include <base/error.h>
#include <hal/clock.h>
#include <hal/hosted.h>

#include "sim.h"

int hal_at_cycle(uint64_t cycle, bool (*look)(void))
{
    if (cycle <= sim.now)
        return -B_EINVAL;
    sim.stop = cycle;
    sim.look = look;
    sim.limit = cycle - 1 < sim.end ? cycle - 1 : sim.end;
    return 0;
}

void sim_stop(uint64_t next)
{
    if (sim.stop > next || sim.stop > sim.end)
        return;
    uint64_t now = sim.now;
    sim.now = hal_here_clock = sim.stop;
    sim.stop = HAL_NEVER;
    sim.limit = sim.end;
    bool goes_on = sim.look();
    sim.now = hal_here_clock = now;
    if (!goes_on)
        sim_over(1);
}
