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
    uint64_t writer;         /* the same of the thread that writes it */
    uint64_t inside, pages;  /* cycles of a page and of many, from port to port of a cluster */
};

/* B and C each send n bytes to a port of A, if they are among the senders. */
static void send(int me, int senders, size_t n, struct cost *cost)
{
    static const char from[MANY] = "what is sent";
    ikc_meet(PARTIES);
    if (me != A && me <= senders) {
        int out = k_portal_open(A, me);
        uint64_t busy = hal_core_busy(ikc_core());
        CHECK_EQ(k_portal_awrite(out, NULL, from, n, K_PORTAL_CORE), 0);
        CHECK_EQ(k_ikc_wait(K_PORTAL, out, K_FOREVER), n);
        cost->writer = hal_core_busy(ikc_core()) - busy;
        CHECK_EQ(k_portal_close(out), 0);
    }
}

static uint64_t inside(size_t n)
{
    static char from[MANY], to[MANY];
    int in = k_portal_create(0), out = k_portal_open(A, 0);
    uint64_t began = k_time_cycles();
    CHECK_EQ(k_portal_awrite(out, NULL, from, n, 0), 0);
    CHECK_EQ(k_portal_read(in, to, n, NULL), n);
    CHECK_EQ(k_ikc_wait(K_PORTAL, out, K_FOREVER), n);
    uint64_t took = k_time_cycles() - began;
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
    return took;
}

/* Cycles in which A, which is there first, reads from that many senders. */
static uint64_t read_from(int me, int senders, size_t n, struct cost *cost)
{
    static char to[PARTIES][MANY];
    int in[PARTIES];
    if (me != A) {
        send(me, senders, n, cost);
        return 0;
    }
    for (int i = 1; i <= senders; i++)
        in[i] = k_portal_create(i);
    uint64_t thread = hal_core_busy(ikc_core()), master = hal_core_busy(0);
    for (int i = 1; i <= senders; i++)
        CHECK_EQ(k_portal_aread(in[i], NULL, to[i], n, NULL), 0);
    ikc_meet(PARTIES);
    uint64_t began = k_time_cycles();
    for (int i = 1; i <= senders; i++) {
        CHECK_EQ(k_ikc_wait(K_PORTAL, in[i], K_FOREVER), n);
        CHECK_EQ(strncmp(to[i], "what is sent", n), 0);
    }
    uint64_t took = k_time_cycles() - began;
    cost->thread = hal_core_busy(ikc_core()) - thread;
    cost->master = hal_core_busy(0) - master;
    for (int i = 1; i <= senders; i++)
        CHECK_EQ(k_portal_unlink(in[i]), 0);
    return took;
}

static int body(void *arg)
{
    struct cost *cost = arg;
    int me = ikc_me();
    struct cost unused;
    uint64_t few = read_from(me, 1, FEW, &unused);
    uint64_t page = read_from(me, 1, PAGE, cost);
    uint64_t both = read_from(me, 2, PAGE, &unused);
    CHECK(me != A || read_from(me, 1, MANY, &unused) > page);
    if (me == A) {
        cost->few = few;
        cost->page = page;
        cost->both = both;
        cost->inside = inside(PAGE);
        cost->pages = inside(MANY);
    } else {
        send(me, 1, MANY, &unused);
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
    CHECK(ancestor.writer - own.writer >= copy);
    CHECK(ancestor.inside - own.inside >= copy);
    CHECK(ancestor.pages - own.pages >= MANY / PAGE * (copy + m.cost.kernel_call));
    struct cost full = run(HAL_FULL, false), by_master = run(HAL_FULL, true);
    CHECK(by_master.master - full.master >= copy);
    CHECK(by_master.thread - full.thread < copy);
    return 0;
}
