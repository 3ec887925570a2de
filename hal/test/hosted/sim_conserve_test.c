/* SPDX-License-Identifier: MIT */
/* Whatever the model of the network: all that random transfers send arrives, none before its way
 * and its sender allow; what links and interfaces have counted is what the transfers add up to; no
 * link took more than it can. */
#include <sim/noc.h>
#include <sim/sim.h>

#include "contract_run.h"
#include "sim_plan.h"

#define TRANSFERS 360
#define LINKS     256

static void check_arrivals(const struct sim_plan *p, const struct hal_noc *noc)
{
    for (int i = 0; i < TRANSFERS; i++) {
        uint64_t way = noc->router_cycles + (uint64_t)p[i].hops * noc->hop_cycles;
        uint64_t bytes = (p[i].bytes + p[i].rate - 1) / p[i].rate;
        CHECK(p[i].end >= p[i].start + way + bytes);
    }
}

static void check_sums(const struct sim_plan *p, const struct hal_machine *m)
{
    uint64_t bytes = 0, hops = 0, ends = 0, last = 0, first = HAL_NEVER;
    uint64_t flit[LINKS] = {0}, byte[LINKS] = {0};
    CHECK(sim_noc_links(&m->noc) <= LINKS);
    for (int i = 0; i < TRANSFERS; i++) {
        uint32_t way[LINKS];
        uint64_t flits = (p[i].bytes + m->noc.link_bytes - 1) / m->noc.link_bytes;
        uint32_t n = sim_plan_links(m, p[i].from, p[i].to, way);
        CHECK_EQ(n, p[i].hops);
        bytes += p[i].bytes;
        hops += flits * n;
        ends += 2 * flits;
        last = p[i].end > last ? p[i].end : last;
        first = p[i].start < first ? p[i].start : first;
        for (uint32_t k = 0; k < n; k++) {
            flit[way[k]] += flits;
            byte[way[k]] += p[i].bytes;
        }
    }
    CHECK_EQ(sim_noc_use.transfers, TRANSFERS);
    CHECK_EQ(sim_noc_use.bytes, bytes);
    CHECK_EQ(sim_noc_use.flit_hops, hops);
    CHECK_EQ(sim_noc_use.flit_nis, ends);
    for (uint32_t l = 0; l < sim_noc_links(&m->noc); l++) {
        CHECK_EQ(sim_noc_use.flits[l], flit[l]);
        CHECK(byte[l] <= (last - first) * m->noc.link_bytes);
    }
}

int main(void)
{
    static const char *const models[] = {"fluid", "packet", "wormhole"};
    struct hal_machine m = sim_plan_machine();
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            struct sim_plan p[TRANSFERS];
            sim_plan_draw(p, TRANSFERS, &m, seed);
            sim_plan_run(p, TRANSFERS, &m, models[k]);
            check_arrivals(p, &m.noc);
            check_sums(p, &m);
        }
    }
    return 0;
}
