/* SPDX-License-Identifier: MIT */
/* Energy against hand values: who is busy, who is idle, what crossed which network. */
#include "contract_run.h"

#include <hal/lock.h>
#include <hal/mem.h>
#include <hal/portal.h>
#include <hal/work.h>

#define END 10000                        /* cycles of the run */
enum { COPIED = 3 * 10 + 128 + 0 + 42 }; /* each piece's cycles are whole */

static struct hal_lock lock;
static unsigned char data[8192];

static void second(void *arg)
{
    (void)arg;
    hal_work(500);
    hal_lock(&lock); /* from 500 to 1000: a core that waits for a lock is not idle */
    hal_unlock(&lock);
}

static void boot(void *arg)
{
    (void)arg;
    static char to[100];
    const struct b_piece pieces[] = {{to, data, 100}, {to, data, 0}, {to, data, 33}};
    size_t n;
    uint32_t cookie;
    struct hal_grant g;
    int handle;
    switch (hal_cluster()) {
    case 0:
        hal_lock_init(&lock, "held");
        CHECK_EQ(hal_core_start(1, second, NULL), 0);
        hal_lock(&lock);
        hal_work(1000);
        hal_unlock(&lock);
        while (hal_clock_cycles() < END)
            hal_event_wait(END);
        CHECK_EQ(hal_core_busy(0), 1000);
        CHECK_EQ(hal_core_busy(1), 1000);
        CHECK_EQ(hal_core_busy((int)hal_machine()->compute_cores), 0);
        CHECK_EQ(hal_core_busy(-1), 0);
        break;
    case 1:
        CHECK_EQ(hal_portal_allow(0, 9, 0, data, sizeof data), 0);
        while (hal_portal_received(0, &n, &cookie) != 0)
            hal_event_wait(HAL_NEVER);
        break;
    case 2:
        hal_mem_copy_pieces(pieces, 3);
        CHECK_EQ(hal_clock_cycles(), COPIED);
        CHECK_EQ(hal_core_busy(0), COPIED);
        break;
    case 9:
        while (hal_portal_grant(&g) != 0)
            hal_event_wait(HAL_NEVER);
        CHECK_EQ(hal_portal_put(&g, 0, data, 4000, HAL_PORTAL_CORE, &handle), 0);
        break;
    default:
        break;
    }
}

static void check_near(double got, double want)
{
    CHECK(got > want * 0.999999 && got < want * 1.000001);
}

int main(void)
{
    struct hal_machine m;
    struct hal_options o;
    struct hal_result r;
    contract_load("mppa256", &m, &o);
    m.cost = (struct hal_cost){.copy_setup = 10, .copy_byte_milli = 1280};
    m.power = (struct hal_power){.core_busy_uw = 1000000,
                                 .core_idle_uw = 100000,
                                 .cluster_uw = 10000,
                                 .machine_uw = 7000,
                                 .flit_hop_fj = 1000,
                                 .flit_ni_fj = 300};
    CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
    hal_result(&r);
    CHECK_EQ(r.cycles, END);
    check_near(r.seconds, END / 400e6);
    /* From 9 to 1 it is three hops: 9 is x 4, y 1; 1 is x 1, y 0; 4 to 0 goes round. */
    double hops = 3, flits = 1000, grant = 1;
    double busy = 1000 + 1000 + COPIED + (7 + 8 * hops + 4000), cores = 16 * 17 + 4 * 4;
    check_near(r.energy_core, (busy * 1.0 + (cores * END - busy) * 0.1) / 400e6);
    check_near(r.energy_static, (20 * 0.010 + 0.007) * END / 400e6);
    check_near(r.energy_noc, (hops * (flits + grant) * 1000 + 2 * (flits + grant) * 300) * 1e-15);
    return 0;
}
