/* SPDX-License-Identifier: MIT */
/* A cluster without a kernel throws random messages, verdicts, grants, data and signals at a
 * kernel, half of them almost right. The kernel survives, keeps serving another cluster all the
 * time, and when the attacker has ended nothing of its buffers is missing. */
#include <stdlib.h>

#include <hal/clock.h>
#include <hal/core.h>
#include <hal/event.h>
#include <hal/mailbox.h>
#include <hal/portal.h>
#include <hal/power.h>
#include <hal/sync.h>

#include <test/crew.h>
#include "ikc.h"

enum { TARGET = 0, PEER = 1, ATTACKER = 2, PORT = 1, DONE = 2, OWN = 3 };

static int attacks; /* constant while clusters run */

/* The attacker --------------------------------------------------------------------------------- */

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* A header by the layout of docs/wire.md, with a few fields wrong. */
static void almost_right(struct hal_mail *m, uint64_t *x)
{
    uint8_t *h = m->header;
    memset(h, 0, sizeof m->header);
    h[0] = (uint8_t)(1 + next_random(x) % 3);         /* kind */
    h[1] = (uint8_t)(next_random(x) % 2);             /* facility */
    h[2] = h[1] ? 0 : (uint8_t)(next_random(x) % 64); /* size */
    h[3] = next_random(x) % 8 == 0;                   /* flags */
    h[4] = (uint8_t)(next_random(x) % 6);             /* to */
    h[6] = (uint8_t)(next_random(x) % 6);             /* from */
    h[8] = (uint8_t)(next_random(x) % 6);             /* serial */
    if (next_random(x) % 4 == 0)
        h[next_random(x) % sizeof m->header] = (uint8_t)next_random(x);
}

static void answer_at_random(uint64_t *x)
{
    int from;
    if (hal_mailbox_peek(&from))
        hal_mailbox_release(from, (int)(next_random(x) % (next_random(x) % 2 ? 16 : 256)));
    struct hal_grant g;
    int handle;
    if (hal_portal_grant(&g) == 0) {
        size_t n = next_random(x) % (g.capacity + 1);
        uint32_t cookie = next_random(x) % 2 ? next_random(x) : (g.cookie >> 11 & 0x7ff);
        static const char data[64];
        if (hal_portal_put(&g, cookie, data, n < sizeof data ? n : sizeof data, HAL_PORTAL_CORE,
                           &handle) == 0)
            while (hal_portal_sent(handle) == -B_EAGAIN)
                hal_event_relax(true);
    }
}

static void grant_at_random(uint64_t *x)
{
    static const int channels[] = {0, 1};
    for (int i = 0; i < 2; i++) {
        char buf[64];
        size_t n;
        uint32_t cookie;
        if (hal_portal_received(channels[i], &n, &cookie) == -B_EAGAIN && next_random(x) % 4 == 0)
            hal_portal_revoke(channels[i]);
        uint32_t c = next_random(x) % 6 | next_random(x) % 6 << 11 | (next_random(x) & 1) << 22;
        hal_portal_allow(channels[i], TARGET, next_random(x) % 4 == 0 ? next_random(x) : c, buf, 0);
    }
}

static void attack(void)
{
    uint64_t x = 12345;
    for (int sent = 0; sent < attacks;) {
        struct hal_mail m;
        almost_right(&m, &x);
        for (size_t i = 0; next_random(&x) % 3 == 0 && i < sizeof m.header; i++)
            m.header[i] = (uint8_t)next_random(&x);
        memset(m.data, (int)x, sizeof m.data);
        int r = hal_mailbox_send(TARGET, &m, m.header[2] <= HAL_MAIL_DATA ? m.header[2] : 0);
        sent += r == 0;
        while (hal_mailbox_verdict(TARGET) >= 0) {
        }
        if (next_random(&x) % 8 == 0)
            answer_at_random(&x);
        if (next_random(&x) % 64 == 0) {
            grant_at_random(&x);
            hal_sync_signal(TARGET, next_random(&x) % 3 == 0 ? 0 : x);
        }
        if (r == -B_EAGAIN)
            hal_event_wait(hal_clock_cycles() + hal_clock_hz() / 1000);
    }
}

/* The target ----------------------------------------------------------------------------------- */

/* Takes whatever comes until the peer says that it is the end. */
static void read_mail(int me, void *arg)
{
    (void)me, (void)arg;
    int in = k_mailbox_create(PORT), from_peer = 0;
    for (;;) {
        char buf[HAL_MAIL_DATA];
        struct k_source from;
        int n = k_mailbox_read(in, buf, sizeof buf, &from);
        CHECK(n >= 0);
        if (from.node == PEER) {
            CHECK(n == 5 && memcmp(buf, "ping", 4) == 0);
            from_peer++;
            if (buf[4] == '!')
                break;
        }
    }
    CHECK(from_peer > 1);
    CHECK(k_mailbox_unlink(in) >= 0);
}

/* Reads any portal, and now and then one that names the attacker. */
static void read_portal(int me, void *arg)
{
    (void)me, (void)arg;
    int in = k_portal_create(PORT);
    for (int i = 0, end = 0; !end; i++) {
        char buf[64];
        struct k_source from = {ATTACKER, i % 6}, got = {K_ANY, K_ANY};
        CHECK_EQ(k_portal_aread(in, i % 3 == 0 ? &from : NULL, buf, sizeof buf, &got), 0);
        long r = k_ikc_wait(K_PORTAL, in, hal_machine()->hz / 1000);
        if (r == -B_ETIMEDOUT && k_ikc_cancel(K_PORTAL, in) != 0)
            r = k_ikc_wait(K_PORTAL, in, K_FOREVER);
        end = r == 3 && got.node == PEER && memcmp(buf, "end", 3) == 0;
    }
    CHECK_EQ(k_portal_unlink(in), 0);
}

/* Writes to the attacker, which answers anything or nothing. */
static void write_at_attacker(int me, void *arg)
{
    (void)arg;
    int mail = k_mailbox_open(ATTACKER, PORT), portal = k_portal_open(ATTACKER, PORT);
    for (int i = 0;; i++) {
        enum k_facility f = (me + i) % 2 ? K_MAILBOX : K_PORTAL;
        int id = f == K_MAILBOX ? mail : portal;
        CHECK_EQ(f == K_MAILBOX ? k_mailbox_awrite(id, K_ANY, K_ANY, "x", 1)
                                : k_portal_awrite(id, NULL, "x", 1, 0),
                 0);
        long r = k_ikc_wait(f, id, hal_machine()->hz / 1000);
        if (r == -B_ETIMEDOUT && k_ikc_cancel(f, id) != 0)
            r = k_ikc_wait(f, id, K_FOREVER);
        if (r == -B_EIO)
            break;
    }
}

/* Every port can still store what it is owed, and one port everything that is not owed to
 * others: half of the buffers are owed to the ports in equal parts, and there are at least two
 * for each port. */
static void check_buffers(void)
{
    int ports = (int)hal_machine()->mailbox_ports, in[64];
    for (int i = 0; i < ports; i++)
        if (i != DONE)
            CHECK((in[i] = k_mailbox_create(i)) >= 0);
    int tell = k_mailbox_open(PEER, OWN), done = k_mailbox_create(DONE);
    char c;
    CHECK_EQ(k_mailbox_write(tell, "go", 2), 2);
    int remote;
    CHECK_EQ(k_mailbox_read(done, &remote, sizeof remote, NULL), sizeof remote);
    CHECK_EQ(remote, ports + 1);
    ikc_drain(in[0], remote);
    CHECK_EQ(ikc_capacity(TARGET, 0), ports + 1);
    ikc_drain(in[0], ports + 1);
    CHECK_EQ(k_mailbox_write(tell, "on", 2), 2);
    CHECK_EQ(k_mailbox_read(done, &c, 1, NULL), 1); /* the peer has stored a message in each */
    for (int i = 0; i < ports; i++) {
        if (i != DONE) {
            CHECK_EQ(k_mailbox_read(in[i], &c, 1, NULL), 1);
            CHECK_EQ(k_mailbox_unlink(in[i]), 0);
        }
    }
}

static int target(void *arg)
{
    (void)arg;
    struct crew_member crew[4];
    crew_start(&crew[0], 1, -1, read_mail, NULL);
    crew_start(&crew[1], 1, -1, read_portal, NULL);
    crew_start(&crew[2], 2, -1, write_at_attacker, NULL);
    crew_join(crew, 4);
    check_buffers();
    return 0;
}

/* The target's ports come with its threads. */
static void wait_for_port(int mail, int portal)
{
    long r[2] = {-B_ENOTCONN, -B_ENOTCONN};
    for (int i = 0; i < 100000 && (r[0] == -B_ENOTCONN || r[1] == -B_ENOTCONN); i++) {
        r[0] = r[0] < 0 ? k_mailbox_write(mail, "ping?", 5) : r[0];
        r[1] = r[1] < 0 ? k_portal_write(portal, "on", 2) : r[1];
        k_thread_sleep(hal_machine()->hz / 10000);
    }
    CHECK(r[0] == 5 && r[1] == 2);
}

/* The peer is served as if nothing happened, and sees the attacker end. */
static int peer(void *arg)
{
    (void)arg;
    int out = k_mailbox_open(TARGET, PORT), portal = k_portal_open(TARGET, PORT);
    int watch = k_mailbox_create(K_ANY), own = k_mailbox_create(OWN);
    char c[2];
    CHECK_EQ(k_mailbox_set_remote(watch, ATTACKER, K_ANY), 0);
    CHECK_EQ(k_mailbox_aread(watch, c, 1, NULL), 0);
    wait_for_port(out, portal);
    while (k_ikc_test(K_MAILBOX, watch) == 0) {
        CHECK_EQ(k_mailbox_write(out, "ping?", 5), 5);
        k_thread_sleep(hal_machine()->hz / 10000);
    }
    CHECK_EQ(k_ikc_wait(K_MAILBOX, watch, 0), -B_EIO);
    CHECK_EQ(k_mailbox_write(out, "ping!", 5), 5);
    CHECK_EQ(k_portal_write(portal, "end", 3), 3);
    CHECK_EQ(k_mailbox_read(own, c, 2, NULL), 2);
    int remote = ikc_capacity(TARGET, 0);
    int all = k_mailbox_open(K_ANY, K_ANY), ports = (int)hal_machine()->mailbox_ports;
    CHECK_EQ(k_mailbox_writeto(all, TARGET, DONE, &remote, sizeof remote), sizeof remote);
    CHECK_EQ(k_mailbox_read(own, c, 2, NULL), 2);
    for (int i = 0; i < ports; i++)
        CHECK(i == DONE || k_mailbox_writeto(all, TARGET, i, "b", 1) == 1);
    CHECK_EQ(k_mailbox_writeto(all, TARGET, DONE, "b", 1), 1);
    return 0;
}

static void boot(void *arg)
{
    switch (hal_cluster()) {
    case TARGET:
        kern_boot(target, arg);
    case PEER:
        kern_boot(peer, arg);
    default:
        attack();
        hal_power_off(0);
    }
}

int main(void)
{
    bool sim = strcmp(hal_port_name, "sim") == 0;
    struct hal_machine m = ikc_machine("mini", false);
    struct hal_options o;
    char why[256];
    CHECK_EQ(hal_options_default(&o, why, sizeof why), 0);
    attacks = sim ? 120000 : 12000;
    m.mail_slots = 4;
    m.cost.mail_send = m.cost.mail_recv = 20;
    CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
    attacks = sim ? 20000 : 3000;
    m.asymmetric = true;
    m.portal_channels = 1;
    CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
    return 0;
}
