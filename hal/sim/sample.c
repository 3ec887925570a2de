/* SPDX-License-Identifier: MIT */
/* What the trace tells of the machine as numbers over time. They are averages of a stretch of time,
 * drawn from its begin on. */
#include <stdlib.h>

#include <hal/hosted.h>

#include "noc.h"
#include "sim.h"
#include "trace.h"

/* Of each link: flits counted so far, as of the last sample, and those of them that could not have
 * crossed it by then, since it takes one a cycle and transfers count when they begin. */
static struct load {
    uint64_t seen, left;
} * loads;
static struct hal_result before;

bool sim_sample_create(void)
{
    before = (struct hal_result){0};
    loads = calloc(sim_noc_links(&sim.machine.noc), sizeof *loads);
    return loads != NULL;
}

void sim_sample_destroy(void)
{
    free(loads);
    loads = NULL;
}

/* Flits that crossed link i in the last `cycles`. */
static uint64_t crossed(uint32_t i, uint64_t cycles)
{
    struct load *l = &loads[i];
    uint64_t there = l->left + sim_noc_use.flits[i] - l->seen;
    uint64_t now = there < cycles ? there : cycles;
    l->seen = sim_noc_use.flits[i];
    l->left = there - now;
    return now;
}

void sim_sample(uint64_t since)
{
    uint64_t cycles = sim.now - since;
    struct hal_result now;
    for (int c = 0; c < sim.cluster_count; c++) {
        uint64_t most = 0;
        for (int way = 0; way < 4; way++) {
            uint64_t flits = crossed(4 * (uint32_t)c + (uint32_t)way, cycles);
            most = flits > most ? flits : most;
        }
        sim_trace_number(c, "load of the busiest link", "%", since,
                         100 * (double)most / (double)cycles);
    }
    hal_result(&now);
    double seconds = now.seconds - before.seconds;
    int machine = sim.cluster_count;
    sim_trace_number(machine, "power of cores", "W", since,
                     (now.energy_core - before.energy_core) / seconds);
    sim_trace_number(machine, "power of the networks", "W", since,
                     (now.energy_noc - before.energy_noc) / seconds);
    sim_trace_number(machine, "power at rest", "W", since,
                     (now.energy_static - before.energy_static) / seconds);
    before = now;
}
