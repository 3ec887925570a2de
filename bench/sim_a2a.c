/* SPDX-License-Identifier: MIT */
/* All-to-all at HAL level: 12 ranks on each of the 16 compute clusters of mppa256, each a core of
 * its own, send 1 KB to each of the 191 others: 36,672 messages. Between clusters a message is
 * announced by mailbox, answered by a verdict and a grant, moved by DMA and complete on both ends;
 * inside a cluster it is a copy. The prices of software are small ones, so that it is the network
 * that works. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hal/clock.h>
#include <hal/core.h>
#include <hal/event.h>
#include <hal/hosted.h>
#include <hal/mailbox.h>
#include <hal/mem.h>
#include <hal/portal.h>
#include <hal/work.h>

#include "sim_bench.h"

enum { CLUSTERS = 16, PER_CLUSTER = 12, RANKS = CLUSTERS * PER_CLUSTER, BYTES = 1024 };

struct request {
    int sender, receiver;
};

enum step { IDLE, ANNOUNCE, ANNOUNCED, GRANTED, SENDING };

struct rank {
    enum step step; /* of the message that it sends */
    int to, handle;
    struct hal_grant grant;
    int asking[RANKS]; /* ranks that announced a message to it, in order */
    int asked, granted, received;
    bool receiving;
    bool done;
    unsigned char out[BYTES], in[BYTES];
};

static struct rank ranks[RANKS];

static int core_of(int rank)
{
    return 1 + rank % PER_CLUSTER;
}

/* Core 0 of each cluster serves the network for its ranks ----------------------------------------
 */

static void take_arrivals(void)
{
    int from;
    for (const struct hal_mail *m = hal_mailbox_peek(&from); m; m = hal_mailbox_peek(&from)) {
        struct request q;
        memcpy(&q, m->data, sizeof q);
        hal_mailbox_release(from, 0);
        struct rank *r = &ranks[q.receiver];
        r->asking[r->asked++] = q.sender;
    }
    for (int to = hal_mailbox_verdict_any(); to >= 0; to = hal_mailbox_verdict_any())
        hal_mailbox_verdict(to);
    struct hal_grant g;
    while (hal_portal_grant(&g) == 0) {
        ranks[g.cookie].grant = g;
        ranks[g.cookie].step = GRANTED;
    }
}

static void serve_sender(int me)
{
    struct rank *r = &ranks[me];
    if (r->step == ANNOUNCE) {
        struct hal_mail m = {{0}, {0}};
        struct request q = {me, r->to};
        memcpy(m.data, &q, sizeof q);
        if (hal_mailbox_send(r->to / PER_CLUSTER, &m, sizeof q) == 0)
            r->step = ANNOUNCED;
    }
    if (r->step == GRANTED &&
        hal_portal_put(&r->grant, (uint32_t)me, r->out, BYTES, HAL_PORTAL_DMA, &r->handle) == 0)
        r->step = SENDING;
    if (r->step == SENDING && hal_portal_sent(r->handle) == 0) {
        r->step = IDLE;
        hal_event_notify(core_of(me));
    }
}

/* One message at a time on the rank's own channel. */
static void serve_receiver(int me)
{
    struct rank *r = &ranks[me];
    int channel = me % PER_CLUSTER;
    size_t n;
    uint32_t cookie;
    if (r->receiving && hal_portal_received(channel, &n, &cookie) == 0) {
        r->receiving = false;
        r->received++;
        hal_event_notify(core_of(me));
    }
    if (!r->receiving && r->granted < r->asked) {
        int sender = r->asking[r->granted++];
        hal_portal_allow(channel, sender / PER_CLUSTER, (uint32_t)sender, r->in, BYTES);
        r->receiving = true;
    }
}

static void serve(int first)
{
    for (int done = 0; done < PER_CLUSTER;) {
        take_arrivals();
        done = 0;
        for (int me = first; me < first + PER_CLUSTER; me++) {
            serve_sender(me);
            serve_receiver(me);
            done += ranks[me].done;
        }
        if (done < PER_CLUSTER)
            hal_event_wait(HAL_NEVER);
    }
}

static void rank_main(void *arg)
{
    int me = hal_cluster() * PER_CLUSTER + hal_core() - 1;
    struct rank *r = &ranks[me];
    (void)arg;
    for (int k = 1; k < RANKS; k++) {
        int to = (me + k) % RANKS;
        hal_work(100);
        if (to / PER_CLUSTER == hal_cluster()) {
            hal_mem_copy(ranks[to].in, r->out, BYTES);
            ranks[to].received++;
            hal_event_notify(core_of(to));
            continue;
        }
        r->to = to;
        r->step = ANNOUNCE;
        hal_event_notify(0);
        while (r->step != IDLE)
            hal_event_wait(HAL_NEVER);
    }
    while (r->received < RANKS - 1)
        hal_event_wait(HAL_NEVER);
    r->done = true;
    hal_event_notify(0);
}

static void boot(void *arg)
{
    (void)arg;
    if (hal_cluster() >= CLUSTERS)
        return;
    for (int i = 1; i <= PER_CLUSTER; i++)
        hal_core_start(i, rank_main, NULL);
    serve(hal_cluster() * PER_CLUSTER);
}

int main(void)
{
    static const char *const models[] = {"fluid", "packet", "wormhole"};
    struct hal_machine m;
    struct hal_options o;
    bench_load("mppa256", &m, &o);
    m.cost = (struct hal_cost){.mail_send = 20,
                               .mail_recv = 60,
                               .portal_setup = 60,
                               .copy_setup = 40,
                               .copy_byte_milli = 125};
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
        double seconds[BENCH_RUNS];
        struct hal_result r;
        snprintf(o.noc, sizeof o.noc, "%s", models[k]);
        for (int i = 0; i < BENCH_RUNS; i++) {
            memset(ranks, 0, sizeof ranks);
            seconds[i] = bench_run(&m, &o, boot, NULL);
            hal_result(&r);
        }
        printf("sim.a2a.%s,%.3f,CPU seconds for 36672 messages,%s\n", models[k],
               bench_median(seconds, BENCH_RUNS), k == 0 ? "<= 0.4" : "-");
        printf("sim.a2a.%s.cycles,%llu,cycles of mppa256,-\n", models[k],
               (unsigned long long)r.cycles);
    }
    return 0;
}
