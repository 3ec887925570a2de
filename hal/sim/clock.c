/* SPDX-License-Identifier: MIT */
/* Virtual time and what makes it pass. */
#include <hal/clock.h>

#include <hal/mem.h>
#include <hal/work.h>

#include "report.h"
#include "sim.h"

void sim_poll_pays(struct sim_core *c)
{
    if (sim.reporting)
        return;
    c->polled = c->polls == SIM_FREE_POLLS + 1 ? 0 : c->polled;
    uint64_t cycles = 1 + c->polled / SIM_POLL_PART, most = 1 + sim.machine.hz / 1000;
    cycles = cycles < most ? cycles : most;
    c->polled += cycles;
    hal_work(cycles);
}

uint64_t hal_clock_cycles(void)
{
    sim_poll();
    return sim.now;
}

uint64_t hal_clock_ns(void)
{
    sim_poll();
    return (uint64_t)((unsigned __int128)sim.now * 1000000000u / sim.machine.hz);
}

uint64_t hal_clock_hz(void)
{
    return sim.machine.hz;
}

bool sim_passes(uint64_t cycles)
{
    uint64_t end = sim.now + cycles;
    if (end < cycles || sim_event_before(end) || sim_report_wanted())
        return false;
    if (end > sim.limit)
        sim_stop(end);
    if (end > sim.limit || sim.over)
        return false;
    sim.core->busy += cycles;
    sim.now = hal_here_clock = end;
    return true;
}

void hal_work(uint64_t cycles)
{
    if (cycles > 0 && !sim_passes(cycles)) {
        /* What would end behind the clock's last cycle never does. */
        sim_at(cycles < HAL_NEVER - sim.now ? sim.now + cycles : HAL_NEVER, NULL, sim.core);
        sim_block(SIM_WORKING);
    }
}

uint64_t sim_copy_cycles(size_t n)
{
    const struct hal_cost *cost = &sim.machine.cost;
    return cost->copy_setup + (uint64_t)n * cost->copy_byte_milli / 1000;
}

void hal_mem_copy_pieces(const struct b_piece *pieces, int n)
{
    uint64_t cycles = 0;
    for (int i = 0; i < n; i++)
        cycles += sim_copy_cycles(pieces[i].n);
    hal_work(cycles);
    b_copy_pieces(pieces, n);
}

void hal_mem_window(void **base, size_t *size)
{
    *base = sim_cluster()->window;
    *size = sim_cluster()->window_size;
}
