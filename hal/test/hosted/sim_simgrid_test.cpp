/* SPDX-License-Identifier: MIT */
/* The fluid model against SimGrid (CM02): random overlapping transfers; each must end within 2
 * cycles of SimGrid's. A second of SimGrid is a cycle here, so a bandwidth of 4 is 4 bytes per
 * cycle.
 *
 * What SimGrid needs to be told for this: CM02 without cross traffic and without a TCP window; one
 * second of latency on the injection link and none elsewhere, stretched by a callback to the
 * latency of the route, because CM02 shares a link in proportion to 1 / latency; a FATPIPE link of
 * the core's rate before the interface for what a core injects. */
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>
#if SIMGRID_VERSION < 33400
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_set>
#include <vector>

#include "sim_plan.h"

namespace sg = simgrid::s4u;

constexpr int transfers = 120, seeds = 3;
constexpr double tolerance = 2;

struct Platform {
    const struct hal_machine *machine;
    sg::NetZone *zone;
    std::vector<sg::Host *> by_dma, by_core;
};

static sg::NetZone *make_zone(sg::Engine &engine)
{
#if SIMGRID_VERSION >= 40000
    return engine.get_netzone_root()->add_netzone_full("noc");
#else
    (void)engine;
    return sg::create_full_zone("noc");
#endif
}

static sg::Host *make_host(sg::NetZone *zone, const std::string &name)
{
#if SIMGRID_VERSION >= 40000
    return zone->add_host(name, 1.0);
#else
    return zone->create_host(name, 1.0);
#endif
}

static sg::Link *make_link(sg::NetZone *zone, const std::string &name, double bandwidth)
{
#if SIMGRID_VERSION >= 40000
    return zone->add_link(name, bandwidth);
#else
    return zone->create_link(name, bandwidth);
#endif
}

static void add_route(sg::NetZone *zone, sg::Host *from, sg::Host *to,
                      const std::vector<sg::LinkInRoute> &links)
{
#if SIMGRID_VERSION >= 33600
    zone->add_route(from, to, links, false);
#else
    zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, links, false);
#endif
}

static bool is_hop(const sg::Link *link)
{
    return link->get_name().rfind("hop", 0) == 0;
}

static void set_latencies(Platform &p)
{
    const hal_noc noc = p.machine->noc;
    auto stretch = [noc](double, const sg::Host *, const sg::Host *,
                         const std::vector<sg::Link *> &links,
                         const std::unordered_set<sg::NetZone *> &) {
        double hops = 0;
        for (const sg::Link *link : links) {
            hops += is_hop(link) ? 1 : 0;
        }
        return noc.router_cycles + noc.hop_cycles * hops;
    };
#if SIMGRID_VERSION >= 33400
    p.zone->set_latency_factor_cb(stretch);
#else
    p.zone->get_network_model()->set_lat_factor_cb(stretch);
#endif
}

static Platform build(sg::Engine &engine, const struct hal_machine *m)
{
    Platform p{m, make_zone(engine), {}, {}};
    int clusters = hal_machine_clusters(m);
    double bandwidth = m->noc.link_bytes;
    std::vector<sg::Link *> in, out, hop, core;
    for (int c = 0; c < clusters; c++) {
        std::string n = std::to_string(c);
        p.by_dma.push_back(make_host(p.zone, "dma" + n));
        p.by_core.push_back(make_host(p.zone, "core" + n));
        in.push_back(make_link(p.zone, "in" + n, bandwidth)->set_latency(1.0));
        out.push_back(make_link(p.zone, "out" + n, bandwidth)->set_latency(0.0));
        core.push_back(make_link(p.zone, "limit" + n, m->noc.core_bytes)
                           ->set_latency(0.0)
                           ->set_sharing_policy(sg::Link::SharingPolicy::FATPIPE));
    }
    for (unsigned i = 0; i < 4 * m->noc.torus_x * m->noc.torus_y; i++) {
        hop.push_back(make_link(p.zone, "hop" + std::to_string(i), bandwidth)->set_latency(0.0));
    }
    for (int from = 0; from < clusters; from++) {
        for (int to = 0; to < clusters; to++) {
            uint32_t way[64], hops = sim_plan_links(m, from, to, way);
            std::vector<sg::LinkInRoute> links{sg::LinkInRoute(in[from])};
            for (uint32_t i = 0; i < hops; i++) {
                links.emplace_back(hop[way[i]]);
            }
            links.emplace_back(out[to]);
            add_route(p.zone, p.by_dma[from], p.by_dma[to], links);
            links.emplace(links.begin(), core[from]);
            add_route(p.zone, p.by_core[from], p.by_dma[to], links);
        }
    }
    set_latencies(p);
    p.zone->seal();
    return p;
}

/* One actor per transfer. */
static void play(const Platform &p, const sim_plan &t, double *end)
{
    bool dma = t.rate == p.machine->noc.dma_bytes;
    sg::Host *from = dma ? p.by_dma[t.from] : p.by_core[t.from], *to = p.by_dma[t.to];
    auto body = [from, to, &t, end] {
        sg::this_actor::sleep_until(static_cast<double>(t.start));
        sg::Comm::sendto_init(from, to)->set_payload_size(t.bytes)->wait();
        *end = sg::Engine::get_clock();
    };
#if SIMGRID_VERSION >= 40100
    from->add_actor("transfer", body);
#else
    sg::Actor::create("transfer", from, body);
#endif
}

int main(int argc, char **argv)
{
    std::vector<sim_plan> plan(transfers * seeds);
    struct hal_machine machine = sim_plan_machine();
    uint64_t last = 0;
    for (int s = 0; s < seeds; s++) {
        sim_plan *part = &plan[s * transfers];
        sim_plan_draw(part, transfers, &machine, 1 + s);
        sim_plan_run(part, transfers, &machine, "fluid");
        for (int i = 0; i < transfers; i++) { /* SimGrid plays them all, one after the other */
            last = std::max(last, part[i].end);
        }
    }
    sg::Engine engine(&argc, argv);
    sg::Engine::set_config("network/model:CM02");
    sg::Engine::set_config("network/crosstraffic:0");
    sg::Engine::set_config("network/TCP-gamma:1e30");
    Platform p = build(engine, &machine);
    std::vector<double> ends(plan.size());
    uint64_t apart = 2 * last;
    for (size_t i = 0; i < plan.size(); i++) {
        plan[i].start += apart * (i / transfers);
        play(p, plan[i], &ends[i]);
    }
    engine.run();
    double worst = 0, slowdown = 0;
    int bad = 0;
    for (size_t i = 0; i < plan.size(); i++) {
        double got = static_cast<double>(plan[i].end + apart * (i / transfers));
        double alone = 7 + 8.0 * plan[i].hops + static_cast<double>(plan[i].bytes) / plan[i].rate;
        slowdown += (got - static_cast<double>(plan[i].start)) / alone / plan.size();
        worst = std::max(worst, std::fabs(got - ends[i]));
        if (std::fabs(got - ends[i]) > tolerance) {
            std::fprintf(stderr, "transfer %zu, %d to %d, %llu bytes: ends at %.0f, SimGrid %.3f\n",
                         i, plan[i].from, plan[i].to, (unsigned long long)plan[i].bytes, got,
                         ends[i]);
            bad++;
        }
    }
    std::printf("%zu transfers, slowed down %.2f times by each other; largest difference from "
                "SimGrid %d.%d: %.3f cycles\n",
                plan.size(), slowdown, static_cast<int>(SIMGRID_VERSION / 10000),
                static_cast<int>(SIMGRID_VERSION / 100 % 100), worst);
    return bad != 0 || slowdown < 1.5;
}
