/* SPDX-License-Identifier: MIT */
#include "sim_plan.h"

#include <sim/noc.h>
#include <sim/sim.h>

#include "contract_run.h"

#define MOST 512

static struct sim_plan *plan;
static int count, arrived;
static struct sim_transfer transfers[MOST];

struct hal_machine sim_plan_machine(void)
{
    struct hal_machine m;
    struct hal_options o;
    contract_load("mppa256", &m, &o);
    m.cost = (struct hal_cost){0};
    return m;
}

void sim_plan_draw(struct sim_plan *p, int n, const struct hal_machine *m, uint64_t seed)
{
    int clusters = hal_machine_clusters(m);
    uint64_t x = seed;
    for (int i = 0; i < n; i++) {
        uint64_t draws[5];
        for (int k = 0; k < 5; k++) {
            x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            draws[k] = x >> 33;
        }
        p[i].from = (int)(draws[0] % (uint64_t)clusters);
        p[i].to = (p[i].from + 1 + (int)(draws[1] % (uint64_t)(clusters - 1))) % clusters;
        p[i].bytes = 1 + draws[2] % 20000;
        p[i].start = 1000 + draws[3] % 8000;
        p[i].rate = draws[4] % 3 == 0 ? m->noc.core_bytes : m->noc.dma_bytes;
    }
}

static void done(struct sim_transfer *t)
{
    plan[t - transfers].end = hal_clock_cycles();
    if (++arrived == count)
        sim_raise(&sim.clusters[0].cores[0]);
}

static void start(void *arg)
{
    sim_noc_send(arg, 0);
}

static void boot(void *arg)
{
    (void)arg;
    if (hal_cluster() != 0)
        return;
    for (int i = 0; i < count; i++) {
        struct sim_route *r = sim_pair(plan[i].from, plan[i].to)->route;
        transfers[i] = (struct sim_transfer){.route = r,
                                             .bytes = plan[i].bytes,
                                             .rate = plan[i].rate,
                                             .done = done,
                                             .from = plan[i].from,
                                             .to = plan[i].to,
                                             .what = "plan"};
        plan[i].hops = r->hops;
        sim_at(plan[i].start, start, &transfers[i]);
    }
    while (arrived < count)
        hal_event_wait(HAL_NEVER);
}

void sim_plan_run(struct sim_plan *p, int n, const struct hal_machine *m, const char *model)
{
    struct hal_machine ignored;
    struct hal_options o;
    contract_load("mppa256", &ignored, &o);
    CHECK(n <= MOST);
    snprintf(o.noc, sizeof o.noc, "%s", model);
    plan = p;
    count = n;
    arrived = 0;
    CHECK_EQ(hal_run(m, &o, boot, NULL), 0);
}

uint32_t sim_plan_links(const struct hal_machine *m, int from, int to, uint32_t *link)
{
    return sim_route_links(&m->noc, (uint32_t)from, (uint32_t)to, link);
}
