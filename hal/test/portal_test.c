/* SPDX-License-Identifier: MIT */
/* hal/portal.h: grants, transfers by both engines, what moves and what does not, revocation, and
 * the end of a peer. */
#include "contract.h"

#include <hal/mem.h>
#include <hal/portal.h>

#define BIG 60000

/* Channel 0 of cluster 1 receives from cluster 0; cluster 2 does other things. */
enum { SENDER, RECEIVER, OTHER };

static unsigned char buffers[3][BIG + 64];

static void fill(unsigned char *p, size_t n, int seed)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)(i * 31 + (i >> 8) + (size_t)seed);
}

static bool filled(const unsigned char *p, size_t n, int seed)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != (unsigned char)(i * 31 + (i >> 8) + (size_t)seed))
            return false;
    return true;
}

static struct hal_grant grant_from(int to)
{
    struct hal_grant g;
    UNTIL(hal_portal_grant(&g) == 0);
    CHECK_EQ(g.to, to);
    return g;
}

static void put(const struct hal_grant *g, uint32_t cookie, const void *buf, size_t n,
                enum hal_portal_engine engine)
{
    int handle, rc;
    UNTIL((rc = hal_portal_put(g, cookie, buf, n, engine, &handle)) != -B_EAGAIN);
    CHECK_EQ(rc, 0);
    uint64_t limit = contract_after(PATIENT / 4);
    hal_event_wait(limit); /* its end is an event here too, though it may have come at once */
    CHECK(hal_clock_cycles() < limit);
    UNTIL((rc = hal_portal_sent(handle)) != -B_EAGAIN);
    CHECK_EQ(rc, 0);
    CHECK_EQ(hal_portal_sent(handle), -B_EINVAL); /* taken */
}

static size_t received(int channel, uint32_t cookie)
{
    size_t n;
    uint32_t got;
    int rc;
    UNTIL((rc = hal_portal_received(channel, &n, &got)) != -B_EAGAIN);
    CHECK_EQ(rc, 0);
    CHECK_EQ(got, cookie);
    CHECK_EQ(hal_portal_received(channel, &n, &got), -B_EINVAL); /* free again */
    return n;
}

static void test_refusals(void)
{
    struct hal_grant g;
    size_t n;
    uint32_t cookie;
    char buf[8];
    int channels = (int)hal_machine()->portal_channels, other = (hal_cluster() + 1) % 3;
    CHECK_EQ(hal_portal_allow(-1, other, 0, buf, 8), -B_EINVAL);
    CHECK_EQ(hal_portal_allow(channels, other, 0, buf, 8), -B_EINVAL);
    CHECK_EQ(hal_portal_allow(0, -1, 0, buf, 8), -B_EHOSTUNREACH);
    CHECK_EQ(hal_portal_allow(0, 3, 0, buf, 8), -B_EHOSTUNREACH);
    CHECK_EQ(hal_portal_received(0, &n, &cookie), -B_EINVAL);
    CHECK_EQ(hal_portal_received(channels, &n, &cookie), -B_EINVAL);
    CHECK_EQ(hal_portal_revoke(0), -B_EINVAL);
    CHECK_EQ(hal_portal_revoke(-1), -B_EINVAL);
    CHECK_EQ(hal_portal_grant(&g), -B_EAGAIN);
    CHECK_EQ(hal_portal_sent(-1), -B_EINVAL);
    CHECK_EQ(hal_portal_sent(0), -B_EINVAL);
    CHECK_EQ(hal_portal_sent(1 << 20), -B_EINVAL);
    contract_meet();
}

static const struct length {
    size_t capacity, sent;
} lengths[] = {{0, 0},     {1, 1},       {64, 0},     {64, 1},        {4096, 7},
               {1000, 33}, {4096, 4096}, {BIG, 4097}, {BIG, BIG - 1}, {BIG, BIG}};

/* Transfers of all lengths; nothing but their own bytes moves. */
static void exchange(unsigned char *mine, enum hal_portal_engine engine)
{
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const struct length *l = &lengths[i];
        uint32_t cookie = UINT32_MAX - (uint32_t)i;
        if (hal_cluster() == SENDER) {
            fill(mine + 32, l->sent, (int)i);
            struct hal_grant g = grant_from(RECEIVER);
            CHECK_EQ(g.channel, 0);
            CHECK_EQ(g.capacity, l->capacity);
            CHECK_EQ(g.cookie, 1000 + i);
            int handle;
            CHECK_EQ(hal_portal_put(&g, 0, mine, l->capacity + 1, engine, &handle), -B_EMSGSIZE);
            put(&g, cookie, mine + 32, l->sent, engine);
        } else if (hal_cluster() == RECEIVER) {
            size_t n;
            uint32_t none;
            memset(mine, 0xee, BIG + 64);
            CHECK_EQ(hal_portal_allow(0, SENDER, 1000 + (uint32_t)i, mine + 32, l->capacity), 0);
            CHECK_EQ(hal_portal_allow(0, SENDER, 0, mine, 1), -B_EBUSY);
            CHECK_EQ(hal_portal_allow(0, OTHER, 0, mine, 1), -B_EBUSY);
            CHECK_EQ(hal_portal_received(1, &n, &none), -B_EINVAL);
            CHECK_EQ(received(0, cookie), l->sent);
            CHECK(filled(mine + 32, l->sent, (int)i));
            for (size_t k = 0; k < BIG + 64; k++)
                CHECK(mine[k] == 0xee || (k >= 32 && k < 32 + l->sent));
        }
    }
    contract_meet();
}

static void test_exchange(void)
{
    unsigned char *window;
    size_t size;
    hal_mem_window((void **)&window, &size);
    exchange(window, HAL_PORTAL_DMA);
    exchange(window + 1, HAL_PORTAL_CORE);
    exchange(buffers[hal_cluster()], HAL_PORTAL_DMA); /* outside of the window */
    exchange(buffers[hal_cluster()] + 3, HAL_PORTAL_CORE);
}

/* A grant that is given up ends as a transfer of nothing. */
static void test_given_up(void)
{
    unsigned char byte = 0xee;
    if (hal_cluster() == SENDER) {
        struct hal_grant g = grant_from(RECEIVER);
        put(&g, 5, NULL, 0, HAL_PORTAL_DMA);
    } else if (hal_cluster() == RECEIVER) {
        CHECK_EQ(hal_portal_allow(1, SENDER, 0, &byte, 1), 0);
        CHECK_EQ(received(1, 5), 0);
        CHECK_EQ(byte, 0xee);
    }
    contract_meet();
}

/* Two receivers grant to one sender, which serves them in turn; and both channels of a receiver
 * work at the same time. */
static void test_turns(void)
{
    if (hal_cluster() == SENDER) {
        struct hal_grant g;
        int served[3] = {0};
        contract_meet();
        /* Let all grants arrive. */
        for (uint64_t end = contract_after(1000000); hal_clock_cycles() < end;)
            hal_event_wait(end);
        for (int i = 0; i < 4; i++) {
            CHECK_EQ(hal_portal_grant(&g), 0);
            served[g.to]++;
            CHECK(served[1] - served[2] <= 1 && served[2] - served[1] <= 1);
            fill(buffers[0], 100, g.to * 10 + g.channel);
            put(&g, (uint32_t)g.channel, buffers[0], 100, HAL_PORTAL_CORE);
        }
    } else {
        unsigned char *mine = buffers[hal_cluster()];
        for (int channel = 0; channel < 2; channel++)
            CHECK_EQ(hal_portal_allow(channel, SENDER, 0, mine + 200 * channel, 100), 0);
        contract_meet();
        for (int channel = 1; channel >= 0; channel--) {
            CHECK_EQ(received(channel, (uint32_t)channel), 100);
            CHECK(filled(mine + 200 * channel, 100, hal_cluster() * 10 + channel));
        }
    }
    contract_meet();
}

/* More transfers by DMA than there are channels: refused until an event says otherwise. */
static void test_dma_channels(void)
{
    int channels = (int)hal_machine()->portal_channels; /* 2 at each of two receivers */
    if (hal_cluster() == SENDER) {
        int handles[4];
        for (int i = 0; i < 2 * channels; i++) {
            struct hal_grant g;
            int rc;
            UNTIL(hal_portal_grant(&g) == 0);
            fill(buffers[0], BIG, 9);
            UNTIL((rc = hal_portal_put(&g, 1, buffers[0], BIG, HAL_PORTAL_DMA, &handles[i])) !=
                  -B_EAGAIN);
            CHECK_EQ(rc, 0);
        }
        for (int i = 0; i < 2 * channels; i++)
            UNTIL(hal_portal_sent(handles[i]) == 0);
    } else {
        unsigned char *window;
        size_t size;
        hal_mem_window((void **)&window, &size);
        for (int i = 0; i < channels; i++) {
            memset(window + i * BIG, 0, BIG);
            CHECK_EQ(hal_portal_allow(i, SENDER, 0, window + i * BIG, BIG), 0);
        }
        for (int i = 0; i < channels; i++) {
            CHECK_EQ(received(i, 1), BIG);
            CHECK(filled(window + i * BIG, BIG, 9));
        }
    }
    contract_meet();
}

/* Revoked before the sender knew: its put is refused, the buffer untouched, the channel free. */
static void test_revoke(void)
{
    unsigned char *mine = buffers[hal_cluster()];
    if (hal_cluster() == SENDER) {
        struct hal_grant g = grant_from(RECEIVER);
        contract_meet(); /* revoked now */
        contract_meet();
        int handle;
        CHECK_EQ(hal_portal_put(&g, 0, mine, 10, HAL_PORTAL_DMA, &handle), -B_ECANCELED);
        contract_meet();
        g = grant_from(RECEIVER); /* the channel's next grant */
        CHECK_EQ(g.cookie, 2);
        fill(mine, 10, 4);
        put(&g, 3, mine, 10, HAL_PORTAL_CORE);
    } else if (hal_cluster() == RECEIVER) {
        memset(mine, 0xee, 10);
        CHECK_EQ(hal_portal_allow(0, SENDER, 1, mine, 10), 0);
        contract_meet();
        CHECK_EQ(hal_portal_revoke(0), 0);
        CHECK_EQ(hal_portal_revoke(0), -B_EINVAL);
        contract_meet();
        contract_meet();
        CHECK_EQ(mine[0], 0xee);
        CHECK_EQ(hal_portal_allow(0, SENDER, 2, mine, 10), 0);
        CHECK_EQ(received(0, 3), 10);
        CHECK(filled(mine, 10, 4));
    } else {
        contract_meet();
        contract_meet();
        contract_meet();
    }
    contract_meet();
}

/* Revocation against a put at any moment: either the transfer is whole or it never was. The sender
 * tells which it saw. */
#define RACES 300

/* Ever longer waits, so that also on a slow machine the two ends meet. */
static uint64_t race_moment(int i, int steps, uint64_t ns)
{
    return contract_after((uint64_t)(i % steps) * ns << i / 50);
}

static void race_sender(unsigned char *mine)
{
    for (int i = 0; i < RACES; i++) {
        struct hal_grant g;
        struct hal_mail m = {.header = {0}};
        int handle, rc = hal_portal_grant(&g), from;
        uint64_t limit = race_moment(i, 20, 400);
        while (rc != 0 && hal_clock_cycles() < limit) {
            hal_event_wait(limit);
            rc = hal_portal_grant(&g);
        }
        if (rc == 0) {
            fill(mine, 500, i);
            rc = hal_portal_put(&g, (uint32_t)i, mine, 500, HAL_PORTAL_DMA, &handle);
            CHECK(rc == 0 || rc == -B_ECANCELED);
            if (rc == 0) {
                UNTIL((rc = hal_portal_sent(handle)) != -B_EAGAIN);
                CHECK_EQ(rc, 0);
                m.header[0] = 1;
            }
        }
        /* The receiver has decided; a grant that is still there is worth nothing. Both compare. */
        contract_receive(&from);
        CHECK_EQ(hal_mailbox_release(from, 0), 0);
        while (hal_portal_grant(&g) == 0)
            CHECK_EQ(hal_portal_put(&g, 0, mine, 1, HAL_PORTAL_CORE, &handle), -B_ECANCELED);
        contract_send(RECEIVER, &m, 0);
        contract_receive(&from);
        CHECK_EQ(hal_mailbox_release(from, 0), 0);
    }
}

static void race_receiver(unsigned char *mine)
{
    struct hal_mail m = {.header = {0}};
    for (int i = 0; i < RACES; i++) {
        int from;
        memset(mine, 0xee, 500);
        CHECK_EQ(hal_portal_allow(0, SENDER, (uint32_t)i, mine, 500), 0);
        for (uint64_t end = race_moment(i, 23, 300); hal_clock_cycles() < end;)
            hal_event_relax(true);
        int rc = hal_portal_revoke(0);
        if (rc != 0) {
            CHECK_EQ(rc, -B_EAGAIN);
            CHECK_EQ(received(0, (uint32_t)i), 500);
            CHECK(filled(mine, 500, i));
        } else {
            CHECK_EQ(mine[0], 0xee);
        }
        contract_send(SENDER, &m, 0);
        const struct hal_mail *told = contract_receive(&from);
        CHECK_EQ(told->header[0], rc != 0);
        CHECK_EQ(hal_mailbox_release(from, 0), 0);
        CHECK(rc != 0 || mine[0] == 0xee);
        contract_send(SENDER, &m, 0);
    }
}

static void test_revoke_race(void)
{
    unsigned char *mine = buffers[hal_cluster()];
    if (hal_cluster() == SENDER)
        race_sender(mine);
    else if (hal_cluster() == RECEIVER)
        race_receiver(mine);
    while (hal_cluster() != OTHER && hal_mailbox_verdict_any() >= 0)
        hal_mailbox_verdict(hal_mailbox_verdict_any());
    contract_meet();
}

/* A sender that ends leaves its receivers an error, also when it had taken the grant; so does a
 * receiver its senders. */
static void test_gone(void)
{
    unsigned char *mine = buffers[hal_cluster()];
    size_t n;
    uint32_t cookie;
    int rc;
    if (hal_cluster() == RECEIVER) {
        CHECK_EQ(hal_portal_allow(0, OTHER, 0, mine, 100), 0);
        contract_meet();
        UNTIL((rc = hal_portal_received(0, &n, &cookie)) != -B_EAGAIN);
        CHECK_EQ(rc, -B_EIO);
        CHECK_EQ(hal_portal_received(0, &n, &cookie), -B_EINVAL);
        UNTIL(hal_power_ended(OTHER));
        rc = hal_portal_allow(0, OTHER, 0, mine, 100);
        CHECK(rc == -B_EIO || (rc == 0 && hal_portal_received(0, &n, &cookie) == -B_EIO));
    } else if (hal_cluster() == SENDER) {
        struct hal_grant g = grant_from(OTHER);
        contract_meet();
        UNTIL(hal_power_ended(OTHER));
        int handle;
        rc = hal_portal_put(&g, 0, mine, 100, HAL_PORTAL_DMA, &handle);
        if (rc == 0)
            UNTIL((rc = hal_portal_sent(handle)) != -B_EAGAIN);
        CHECK_EQ(rc, -B_EIO);
    } else {
        CHECK_EQ(hal_portal_allow(0, SENDER, 0, mine, 100), 0);
        grant_from(RECEIVER);
        contract_meet();
    }
}

static void boot(void *arg)
{
    (void)arg;
    test_refusals();
    test_exchange();
    test_given_up();
    test_turns();
    test_dma_channels();
    test_revoke();
    test_revoke_race();
    test_gone();
}

CONTRACT({.boot = boot});
