/* SPDX-License-Identifier: MIT */
/* Grants have numbers, of which there are 2^28. The one that comes round to the first is taken like
 * all others, also by a sender that never took one of that channel. */
#include "contract_run.h"

#include <hal/portal.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { EARLIER = 1 << 16 }; /* there it takes minutes */
#else
enum { EARLIER = (1 << 28) - 1 };
#endif

enum { RECEIVER = 0, SENDER = 1, OTHERS = 0, CHANNEL = 1, BYTES = 8 };

static void receive(void)
{
    char buf[BYTES] = "";
    size_t n;
    uint32_t cookie;
    for (int i = 0; i < EARLIER; i++) {
        CHECK_EQ(hal_portal_allow(OTHERS, RECEIVER, 0, buf, sizeof buf), 0);
        CHECK_EQ(hal_portal_revoke(OTHERS), 0);
    }
    CHECK_EQ(hal_portal_allow(CHANNEL, SENDER, 7, buf, sizeof buf), 0);
    int r;
    while ((r = hal_portal_received(CHANNEL, &n, &cookie)) == -B_EAGAIN)
        hal_event_wait(HAL_NEVER);
    CHECK(r == 0 && n == BYTES && cookie == 9 && strcmp(buf, "grant 0") == 0);
}

static void send(void)
{
    struct hal_grant g;
    int handle, r;
    while (hal_portal_grant(&g) != 0)
        hal_event_wait(HAL_NEVER);
    CHECK(g.channel == CHANNEL && g.cookie == 7);
    CHECK_EQ(hal_portal_put(&g, 9, "grant 0", BYTES, HAL_PORTAL_CORE, &handle), 0);
    while ((r = hal_portal_sent(handle)) == -B_EAGAIN)
        hal_event_wait(HAL_NEVER);
    CHECK_EQ(r, 0);
}

static void boot(void *arg)
{
    (void)arg;
    if (hal_cluster() == RECEIVER)
        receive();
    else if (hal_cluster() == SENDER)
        send();
}

int main(void)
{
    struct hal_machine m;
    struct hal_options o;
    contract_load("mini", &m, &o);
    m.io_clusters = 0;
    m.compute_cores = 1;
    o.timeout_ns = UINT64_C(100000000000);
    return hal_run(&m, &o, boot, NULL);
}
