/* SPDX-License-Identifier: MIT */
/* A cluster without a kernel refuses the announcement of a write, and then says that the port which
 * had it is gone, which only who has stored it may. The write ends; the next one of the same
 * output, to another cluster, is none of the liar's business. */
#include <hal/clock.h>
#include <hal/core.h>
#include <hal/event.h>
#include <hal/mailbox.h>
#include <hal/power.h>

#include "ikc.h"

enum { TARGET = 0, PEER = 1, LIAR = 2, PORT = 1 };

/* By docs/wire.md. */
enum { MESSAGE = 1, GONE = 3, PORTAL = 1, BUSY = 2 };

static void lie(void)
{
    const struct hal_mail *m;
    struct hal_mail gone = {.header = {GONE, PORTAL}};
    int from;
    while (!(m = hal_mailbox_peek(&from)) || m->header[0] != MESSAGE)
        hal_event_wait(hal_clock_cycles() + hal_clock_hz() / 1000);
    CHECK_EQ(from, TARGET);
    memcpy(gone.header + 4, m->header + 6, 2); /* the writer's port, */
    memcpy(gone.header + 6, m->header + 4, 2); /* that which is gone, */
    memcpy(gone.header + 8, m->header + 8, 2); /* and the write */
    CHECK_EQ(hal_mailbox_release(TARGET, BUSY), 0);
    CHECK_EQ(hal_mailbox_send(TARGET, &gone, 0), 0);
    while (hal_mailbox_verdict(TARGET) < 0)
        hal_event_wait(hal_clock_cycles() + hal_clock_hz() / 1000);
    while (!hal_power_ended(TARGET))
        hal_event_wait(hal_clock_cycles() + hal_clock_hz() / 1000);
}

static int target(void *arg)
{
    (void)arg;
    int out = k_portal_open(K_ANY, K_ANY);
    CHECK_EQ(k_portal_awrite(out, &(struct k_source){LIAR, PORT}, "abc", 3, 0), 0);
    CHECK_EQ(k_ikc_wait(K_PORTAL, out, K_FOREVER), -B_ENOTCONN);
    long r;
    do { /* until the peer has its port */
        k_thread_sleep(hal_machine()->hz / 100000);
        CHECK_EQ(k_portal_awrite(out, &(struct k_source){PEER, PORT}, "abc", 3, 0), 0);
        r = k_ikc_wait(K_PORTAL, out, K_FOREVER);
    } while (r == -B_ENOTCONN);
    CHECK_EQ(r, 3);
    return 0;
}

static int peer(void *arg)
{
    (void)arg;
    char got[4];
    int in = k_portal_create(PORT);
    CHECK_EQ(k_portal_read(in, got, sizeof got, NULL), 3);
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
        lie();
        hal_power_off(0);
    }
}

int main(void)
{
    struct hal_machine m = ikc_machine("mini", false);
    struct hal_options o;
    char why[256];
    CHECK_EQ(hal_options_default(&o, why, sizeof why), 0);
    for (int i = 0; i < 2; i++) {
        m.asymmetric = i > 0;
        CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
    }
    return 0;
}
