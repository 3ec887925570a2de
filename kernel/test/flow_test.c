/* SPDX-License-Identifier: MIT */
/* Operations as flows of tasks, and with the same answers as flows of threads: more of them than
 * there are flows; taken back, and their objects ended, at every moment; local transfers that go on
 * while reader and writer compute. */
#include "ikc.h"

enum { ROUNDS = 40, LARGE = 40000 };

static unsigned char from[LARGE], to[LARGE];

/* Reads of all ports pending at once, more than the machine has threads, then a message for each:
 * an operation that finds no flow free goes without. */
static void check_many(void)
{
    int ports = (int)hal_machine()->mailbox_ports, in[64], portal[64], me = ikc_me(), got[64];
    ports = ports < 64 ? ports : 64;
    int portals = (int)hal_machine()->portal_ports;
    portals = portals < 64 ? portals : 64;
    for (int i = 0; i < ports; i++) {
        in[i] = k_mailbox_create(i);
        CHECK_EQ(k_mailbox_aread(in[i], &got[i], sizeof got[i], NULL), 0);
    }
    for (int i = 0; i < portals; i++) {
        portal[i] = k_portal_create(i);
        CHECK_EQ(k_portal_aread(portal[i], NULL, NULL, 0, NULL), 0);
    }
    int out = k_mailbox_open(K_ANY, K_ANY), pout = k_portal_open(K_ANY, K_ANY);
    for (int i = ports - 1; i >= 0; i--) {
        CHECK_EQ(k_mailbox_writeto(out, me, i, &i, sizeof i), sizeof i);
        CHECK_EQ(k_ikc_wait(K_MAILBOX, in[i], IKC_LONG), sizeof i);
        CHECK_EQ(got[i], i);
        CHECK_EQ(k_mailbox_unlink(in[i]), 0);
    }
    for (int i = 0; i < portals; i++) {
        CHECK_EQ(k_portal_awrite(pout, &(struct k_source){me, i}, NULL, 0, 0), 0);
        CHECK_EQ(k_ikc_wait(K_PORTAL, pout, IKC_LONG), 0);
        CHECK_EQ(k_ikc_wait(K_PORTAL, portal[i], IKC_LONG), 0);
        CHECK_EQ(k_portal_unlink(portal[i]), 0);
    }
    CHECK_EQ(k_mailbox_close(out), 0);
    CHECK_EQ(k_portal_close(pout), 0);
}

/* Reads and writes taken back, `delay` cycles after they began: cancelled, or over. What was
 * cancelled never happened: the number read next is the one written next. */
static void check_cancel(void)
{
    int in = k_mailbox_create(3), out = k_mailbox_open(ikc_me(), 3), number = 0, got = -1;
    for (int delay = 0; delay < ROUNDS; delay++) {
        CHECK_EQ(k_mailbox_aread(in, &got, sizeof got, NULL), 0);
        k_work((uint64_t)delay * 20);
        CHECK_EQ(k_ikc_cancel(K_MAILBOX, in), 0);
        CHECK_EQ(k_ikc_wait(K_MAILBOX, in, 0), -B_EINVAL);
        CHECK_EQ(k_mailbox_awrite(out, K_ANY, K_ANY, &number, sizeof number), 0);
        k_work((uint64_t)delay * 20);
        if (ikc_take_back(out))
            continue;
        CHECK_EQ(k_mailbox_read(in, &got, sizeof got, NULL), sizeof got);
        CHECK_EQ(got, number++);
    }
    CHECK_EQ(k_mailbox_write(out, &number, sizeof number), sizeof number);
    CHECK_EQ(k_mailbox_read(in, &got, sizeof got, NULL), sizeof got);
    CHECK_EQ(got, number);
    CHECK_EQ(k_mailbox_unlink(in), 0);
    CHECK_EQ(k_mailbox_close(out), 0);
}

/* Objects that end, and come again, with an operation under way: its flow serves others after. */
static void check_unlink(void)
{
    int out = k_mailbox_open(ikc_me(), 4), number = 0, got;
    for (int delay = 0; delay < 2 * ROUNDS; delay++) {
        int in = k_mailbox_create(4), portal = k_portal_create(4);
        CHECK_EQ(k_mailbox_aread(in, &number, sizeof number, NULL), 0);
        CHECK_EQ(k_portal_aread(portal, NULL, to, LARGE, NULL), 0);
        k_work((uint64_t)delay * 10);
        CHECK_EQ(k_mailbox_unlink(in), 0);
        CHECK_EQ(k_portal_unlink(portal), 0);
        CHECK_EQ(k_ikc_wait(K_MAILBOX, in, 0), -B_EBADF);
        CHECK_EQ(k_mailbox_write(out, &delay, sizeof delay), -B_ENOTCONN);
        in = k_mailbox_create(4);
        CHECK_EQ(k_mailbox_write(out, &delay, sizeof delay), sizeof delay);
        CHECK_EQ(k_mailbox_read(in, &got, sizeof got, NULL), sizeof got);
        CHECK_EQ(got, delay);
        CHECK_EQ(k_mailbox_unlink(in), 0);
    }
    CHECK_EQ(number, 0);
    CHECK_EQ(k_mailbox_close(out), 0);
}

/* Neither reader nor writer looks after its operation: where a core serves the others, the bytes
 * arrive nevertheless. Whoever comes late takes over from there. */
static void check_background(void)
{
    struct k_info info;
    k_info(&info);
    bool served = info.user_core > 0 && hal_machine()->variant != HAL_BASELINE;
    int in = k_portal_create(K_ANY), out = k_portal_open(ikc_me(), k_portal_get_port(in));
    for (int round = 0; round < 8; round++) {
        memset(from, round + 1, LARGE);
        CHECK_EQ(k_portal_aread(in, NULL, to, LARGE, NULL), 0);
        CHECK_EQ(k_portal_awrite(out, NULL, from, LARGE, 0), 0);
        while (served && round % 2 == 0 && ikc_stat_portal(in, K_STAT_READS) != (uint64_t)round + 1)
            k_thread_sleep(info.hz / 10000);
        k_thread_sleep((uint64_t)round * 700);
        CHECK_EQ(k_ikc_wait(K_PORTAL, round & 2 ? in : out, IKC_LONG), LARGE);
        CHECK_EQ(k_ikc_wait(K_PORTAL, round & 2 ? out : in, IKC_LONG), LARGE);
        CHECK(memcmp(from, to, LARGE) == 0);
    }
    CHECK_EQ(k_portal_unlink(in), 0);
    CHECK_EQ(k_portal_close(out), 0);
}

static int body(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) { /* twice: nothing got lost */
        check_many();
        check_cancel();
        check_unlink();
        check_background();
    }
    return 0;
}

int main(void)
{
    CHECK_EQ(on_machines(body), 0);
    return 0;
}
