/* SPDX-License-Identifier: MIT */
/* The networks against hand values: latency, both engines, contention under each model, channels,
 * words. mppa256 with software that costs nothing: 7 cycles per router, 8 per hop, links of 4 bytes
 * per cycle, a core injects 1 byte per cycle. */
#include "contract_run.h"

#include <hal/portal.h>

#define LONG 65536

struct transfer {
    int from, to;
    size_t bytes;
    enum hal_portal_engine engine;
    int channel;
    uint64_t start; /* cycle of the put */
    uint64_t sent, received;
};

static bool ddr; /* clusters 16 to 19 have their memory in it */
static struct transfer *plan;
static int planned;
static unsigned char data[LONG], store[16][LONG];

static struct hal_grant grants[16];
static bool here[16];

/* Core 0 hears the network: takes the grants, and wakes all cores to look after theirs. */
static void listen(void)
{
    struct hal_grant g;
    hal_event_wait(HAL_NEVER);
    while (hal_portal_grant(&g) == 0) {
        grants[g.cookie] = g;
        here[g.cookie] = true;
    }
    for (int i = 1; i < hal_machine_cores(hal_machine(), hal_cluster()); i++)
        hal_event_notify(i);
}

static bool receive(struct transfer *t)
{
    size_t n;
    uint32_t cookie;
    if (hal_portal_received(t->channel, &n, &cookie) != 0)
        return false;
    CHECK_EQ(n, t->bytes);
    CHECK_EQ(cookie, t - plan);
    t->received = hal_clock_cycles();
    return true;
}

/* A core of its own for each transfer of a cluster. */
static void be_sender(void *arg)
{
    struct transfer *t = arg;
    int i = (int)(t - plan), handle, rc;
    while (hal_clock_cycles() < t->start)
        hal_event_wait(t->start);
    CHECK(here[i]);
    here[i] = false;
    while ((rc = hal_portal_put(&grants[i], (uint32_t)i, data, t->bytes, t->engine, &handle)) ==
           -B_EAGAIN)
        hal_event_wait(HAL_NEVER);
    CHECK_EQ(rc, 0);
    while ((rc = hal_portal_sent(handle)) == -B_EAGAIN)
        hal_event_wait(HAL_NEVER);
    CHECK_EQ(rc, 0);
    t->sent = hal_clock_cycles();
    hal_event_notify(0);
}

static void boot(void *arg)
{
    (void)arg;
    int me = hal_cluster(), core = 1;
    for (struct transfer *t = plan; t < plan + planned; t++) {
        if (t->to == me) {
            uint32_t cookie = (uint32_t)(t - plan);
            uint64_t before = hal_clock_cycles();
            CHECK_EQ(hal_portal_allow(t->channel, t->from, cookie, store[t->channel], LONG), 0);
            CHECK_EQ(hal_clock_cycles() - before, ddr && me >= 16 ? 50 : 0);
        }
        if (t->from == me)
            CHECK_EQ(hal_core_start(core++, be_sender, t), 0);
    }
    for (;;) {
        bool done = true;
        for (struct transfer *t = plan; t < plan + planned; t++) {
            done &= t->to != me || t->received != 0 || receive(t);
            done &= t->from != me || t->sent != 0;
        }
        if (done)
            return;
        listen();
    }
}

static void run(const char *model, struct transfer *t, int n)
{
    struct hal_machine m;
    struct hal_options o;
    struct hal_result r;
    contract_load("mppa256", &m, &o);
    m.cost = (struct hal_cost){.copy_byte_milli = 1000, .ddr_send = 300, .ddr_receive = 50};
    m.io_ddr = ddr;
    m.noc.ddr_core_milli = 10000;
    m.noc.ddr_dma_milli = 2000;
    snprintf(o.noc, sizeof o.noc, "%s", model);
    plan = t;
    memset(here, 0, sizeof here);
    planned = n;
    CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
    hal_result(&r);
    CHECK(strcmp(r.noc, model) == 0);
}

#define RUN(model, ...)                                                                            \
    struct transfer t[] = {__VA_ARGS__};                                                           \
    run(model, t, sizeof t / sizeof t[0])

static const char *const models[] = {"fluid", "packet", "wormhole"};

/* Alone, all models agree: latency + bytes / rate. Cluster 8 is three hops from cluster 0. */
static void test_alone(const char *model)
{
    {
        RUN(model, {0, 8, 8192, HAL_PORTAL_DMA, 0, 1000, 0, 0});
        CHECK_EQ(t[0].received, 1000 + 7 + 3 * 8 + 2048);
        CHECK_EQ(t[0].sent, t[0].received);
    }
    {
        RUN(model, {0, 8, 8192, HAL_PORTAL_CORE, 0, 1000, 0, 0});
        CHECK_EQ(t[0].received, 1000 + 7 + 3 * 8 + 8192);
    }
    {
        RUN(model, {0, 1, 3, HAL_PORTAL_DMA, 0, 1000, 0, 0});
        CHECK_EQ(t[0].received, 1000 + 7 + 8 + 1);
    }
    {
        RUN(model, {3, 3, 500, HAL_PORTAL_DMA, 0, 1000, 0, 0}); /* a copy, no network */
        CHECK_EQ(t[0].received, 1000 + 500);
    }
}

/* Out of DDR a byte takes 10 cycles by core here, 2 by DMA, and a transfer begins 300 later; into
 * it a grant takes 50 more. Cluster 16 is one hop from cluster 11. */
static void test_ddr(const char *model)
{
    ddr = true;
    {
        RUN(model, {16, 11, 8192, HAL_PORTAL_DMA, 0, 1000, 0, 0});
        CHECK_EQ(t[0].received, 1000 + 300 + 7 + 8 + 2 * 8192);
    }
    {
        RUN(model, {16, 11, 8192, HAL_PORTAL_CORE, 0, 1000, 0, 0});
        CHECK_EQ(t[0].received, 1000 + 300 + 7 + 8 + 10 * 8192);
    }
    {
        RUN(model, {11, 16, 8192, HAL_PORTAL_DMA, 0, 1000, 0, 0});
        CHECK_EQ(t[0].received, 1000 + 7 + 8 + 2048);
    }
    ddr = false;
}

/* 0 to 2 and 1 to 2 share a link and the way out of it. */
static void test_shared(void)
{
    {
        RUN("fluid", {0, 2, LONG, HAL_PORTAL_DMA, 0, 1000, 0, 0},
            {1, 2, LONG, HAL_PORTAL_DMA, 1, 1000, 0, 0});
        CHECK_EQ(t[0].received - 1000, 32783);
        CHECK_EQ(t[1].received - 1000, 32775);
    }
    {
        RUN("wormhole", {0, 2, LONG, HAL_PORTAL_DMA, 0, 1000, 0, 0},
            {1, 2, LONG, HAL_PORTAL_DMA, 1, 1000, 0, 0});
        uint64_t first = t[0].received < t[1].received ? t[0].received : t[1].received;
        uint64_t last = t[0].received < t[1].received ? t[1].received : t[0].received;
        CHECK(first <= 1000 + 23 + LONG / 4); /* one has the way for itself */
        CHECK(last >= first + LONG / 4 - 16 && last <= first + LONG / 4 + 16);
    }
    {
        RUN("packet", {0, 2, LONG, HAL_PORTAL_DMA, 0, 1000, 0, 0},
            {1, 2, LONG, HAL_PORTAL_DMA, 1, 1000, 0, 0});
        for (int i = 0; i < 2; i++) /* in turn, packet by packet: nearly fair */
            CHECK(t[i].received > 1000 + 32768 - 200 && t[i].received < 1000 + 32768 + 200);
    }
}

/* One interface: a DMA transfer and two cores. The cores hold to their rate, DMA takes the rest. */
static void test_engines(void)
{
    RUN("fluid", {0, 1, 8000, HAL_PORTAL_DMA, 0, 1000, 0, 0},
        {0, 5, 4000, HAL_PORTAL_CORE, 0, 1000, 0, 0}, {0, 4, 4000, HAL_PORTAL_CORE, 0, 1000, 0, 0});
    for (int i = 0; i < 3; i++)
        CHECK_EQ(t[i].received, 1000 + 7 + 8 + 4000);
}

/* Nine transfers of a cluster with eight DMA channels: the ninth waits for a channel. */
static void test_channels(void)
{
    struct transfer t[9];
    for (int i = 0; i < 9; i++)
        t[i] = (struct transfer){0, 1, 4096, HAL_PORTAL_DMA, i, 1000, 0, 0};
    run("fluid", t, 9);
    for (int i = 0; i < 8; i++)
        CHECK_EQ(t[i].received, 1000 + 15 + 8 * 1024);
    CHECK_EQ(t[8].received, t[0].received + 15 + 1024);
}

static uint64_t word_arrival[3];

static void words(void *arg)
{
    (void)arg;
    int from;
    uint64_t word;
    if (hal_cluster() == 0) {
        for (int i = 0; i < 3; i++)
            CHECK_EQ(hal_sync_signal(8, (uint64_t)i), 0);
    } else if (hal_cluster() == 8) {
        for (int i = 0; i < 3; i++) {
            while (hal_sync_peek(&from, &word) != 0)
                hal_event_wait(HAL_NEVER);
            CHECK_EQ(word, i);
            word_arrival[i] = hal_clock_cycles();
            CHECK_EQ(hal_sync_release(from), 0);
        }
    }
}

/* A word pays router, hops and its own latency; the next one follows a cycle later. */
static void test_words(void)
{
    struct hal_machine m;
    struct hal_options o;
    contract_load("mppa256", &m, &o);
    m.cost = (struct hal_cost){0};
    CHECK_EQ(hal_run(&m, &o, words, NULL), 0);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(word_arrival[i], 7 + 3 * 8 + m.noc.cnoc_cycles + (uint64_t)i);
}

static void test_unknown_model(void)
{
    struct hal_machine m;
    struct hal_options o;
    contract_load("mppa256", &m, &o);
    strcpy(o.noc, "ether");
    CHECK_EQ(hal_run(&m, &o, words, NULL), -B_EINVAL);
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        test_alone(models[i]);
        test_ddr(models[i]);
    }
    test_shared();
    test_engines();
    test_channels();
    test_words();
    test_unknown_model();
    return 0;
}
