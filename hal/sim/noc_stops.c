/* SPDX-License-Identifier: MIT */
/* When each stop is free again: what the models have that reserve stops ahead of time. */
#include <stdlib.h>

#include "noc.h"

struct sim_stops sim_stops;

void sim_stops_create(const struct hal_noc *noc)
{
    sim_stops.noc = noc;
    sim_stops.free_at = calloc(sim_noc_stops(noc), sizeof *sim_stops.free_at);
    if (!sim_stops.free_at)
        abort();
}

void sim_stops_destroy(void)
{
    free(sim_stops.free_at);
    sim_stops.free_at = NULL;
}
