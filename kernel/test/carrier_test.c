/* SPDX-License-Identifier: MIT */
/* What a portal's transfer costs in virtual time in both styles: the ancestor's takes a full page
 * of the network, one transfer at a time into a cluster, and is copied on both sides: by the
 * threads that wait, or, in full, by the master core. */
#include "ikc.h"

enum { A, B, C, PARTIES, PAGE = 4096, FEW = 4, MANY = 3 * PAGE + 5 };

struct cost {
    uint64_t few, page;      /* cycles of a read of so many bytes */
    uint64_t both;           /* of two reads of a page, from two clusters, at once */
    uint64_t thread, master; /* cycles that cores were busy with a read of a page */
};

/* B and C each send n bytes to a port of A, if they are among the senders. */
static void send(int me, int senders, size_t n)
{
    static const char from[MANY] = "what is sent";
    ikc_meet(PARTIES);
    if (me != A && me <= senders) {
        int out = k_portal_open(A, me);
        CHECK_EQ(k_portal_awrite(out, NULL, from, n, K_PORTAL_CORE), 0);
        CHECK_EQ(k_ikc_wait(K_PORTAL, out, K_FOREVER), n);
        CHECK_EQ(k_portal_close(out), 0);
    }
}

/* Cycles in which A, which is there first, reads from that many senders. */
static uint64_t read_from(int me, int senders, size_t n, struct cost *busy)
{
    static char to[PARTIES][MANY];
    int in[PARTIES];
    if (me != A) {
        send(me, senders, n);
        return 0;
    }
    for (int i = 1; i <= senders; i++) {
        in[i] = k_portal_create(i);
    }
    uint64_t thread = hal_core_busy(ikc_core()), master = hal_core_busy(0);
    for (int i = 1; i <= senders; i++) {
        CHECK_EQ(k_portal_aread(in[i], NULL, to[i], n, NULL), 0);
    }
    ikc_meet(PARTIES);
    uint64_t began = k_time_cycles();
    for (int i = 1; i <= senders; i++) {
        CHECK_EQ(k_ikc_wait(K_PORTAL, in[i], K_FOREVER), n);
        CHECK_EQ(strncmp(to[i], "what is sent", n), 0);
    }
    uint64_t took = k_time_cycles() - began;
    if (busy != NULL) {
        busy->thread = hal_core_busy(ikc_core()) - thread;
        busy->master = hal_core_busy(0) - master;
    }
    for (int i = 1; i <= senders; i++) {
        CHECK_EQ(k_portal_unlink(in[i]), 0);
    }
    return took;
}

static int body(void *arg)
{
    struct cost *cost = arg;
    int me = ikc_me();
    struct cost c;
    c.few = read_from(me, 1, FEW, NULL);
    c.page = read_from(me, 1, PAGE, &c);
    c.both = read_from(me, 2, PAGE, NULL);
    uint64_t many = read_from(me, 1, MANY, NULL);
    if (me == A) {
        CHECK(many > c.page);
        *cost = c;
    }
    return 0;
}

static struct cost run(enum hal_variant variant, bool ancestor)
{
    struct hal_machine m;
    struct cost cost;
    one_cluster("mppa256", true, &m);
    m.compute_clusters = PARTIES;
    m.noc.torus_x = PARTIES;
    m.noc.torus_y = 1;
    m.variant = variant;
    m.ancestor_portals = ancestor;
    CHECK_EQ(on_machine(&m, body, &cost), 0);
    return cost;
}

int main(void)
{
    struct hal_machine m;
    one_cluster("mppa256", true, &m);
    uint64_t copy = (uint64_t)PAGE * m.cost.copy_byte_milli / 1000, wire = PAGE / m.noc.core_bytes;
    struct cost own = run(HAL_BASELINE, false), ancestor = run(HAL_BASELINE, true);
    CHECK(own.page - own.few >= wire - FEW);
    CHECK(ancestor.few - own.few >= wire - FEW);
    CHECK(own.both - own.page < wire);
    CHECK(ancestor.both - ancestor.page >= wire);
    CHECK(ancestor.thread - own.thread >= copy);
    CHECK(ancestor.master - own.master < copy);
    struct cost full = run(HAL_FULL, false), by_master = run(HAL_FULL, true);
    CHECK(by_master.master - full.master >= copy);
    CHECK(by_master.thread - full.thread < copy);
    return 0;
}
