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

/* What the trace says of each cluster's links, and of the machine's power: numbers stand for the
 * time until others are written. */
static float *load_shown, power_shown[3];

static void number(float *shown, int row, const char *name, const char *part, uint64_t at,
                   double value)
{
    if ((float)value != *shown)
        sim_trace_number(row, name, part, at, value);
    *shown = (float)value;
}

bool sim_sample_create(void)
{
    before = (struct hal_result){0};
    loads = calloc(sim_noc_links(&sim.machine.noc), sizeof *loads);
    load_shown = malloc((size_t)sim.cluster_count * sizeof *load_shown);
    for (int c = 0; load_shown && c < sim.cluster_count; c++)
        load_shown[c] = -1;
    power_shown[0] = power_shown[1] = power_shown[2] = -1;
    return loads && load_shown;
}

void sim_sample_destroy(void)
{
    free(loads);
    free(load_shown);
    loads = NULL;
    load_shown = NULL;
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

static void loads_of(uint64_t since, uint64_t until)
{
    uint64_t cycles = until - since;
    if (cycles == 0)
        return;
    for (int c = 0; c < sim.cluster_count; c++) {
        uint64_t most = 0;
        for (int way = 0; way < 4; way++) {
            uint64_t flits = crossed(4 * (uint32_t)c + (uint32_t)way, cycles);
            most = flits > most ? flits : most;
        }
        number(&load_shown[c], c, "load of the busiest link", "%", since,
               100 * (double)most / (double)cycles);
    }
}

void sim_sample(uint64_t since, uint64_t quiet)
{
    struct hal_result now;
    loads_of(since, quiet);
    loads_of(quiet, sim.now);
    hal_result(&now);
    double seconds = now.seconds - before.seconds;
    int machine = sim.cluster_count;
    number(&power_shown[0], machine, "power of cores", "W", since,
           (now.energy_core - before.energy_core) / seconds);
    number(&power_shown[1], machine, "power of the networks", "W", since,
           (now.energy_noc - before.energy_noc) / seconds);
    number(&power_shown[2], machine, "power at rest", "W", since,
           (now.energy_static - before.energy_static) / seconds);
    before = now;
}
