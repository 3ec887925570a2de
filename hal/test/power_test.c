/* SPDX-License-Identifier: MIT */
/* hal/power.h: how clusters and machines end, and with which status. */
#include "contract.h"

static void sleeps(void *arg)
{
    (void)arg;
    for (;;)
        hal_event_wait(HAL_NEVER);
}

static void powers_off(void *arg)
{
    (void)arg;
    hal_power_off(4);
}

/* Cluster 1 ends first, then 2, then 0; cores that sleep do not hold anything up. */
static void in_turn(void *arg)
{
    (void)arg;
    CHECK_EQ(hal_core_start(1, sleeps, NULL), 0);
    CHECK_EQ(hal_power_ended_count(), 0);
    contract_meet();
    if (hal_cluster() == 1)
        hal_power_off(3);
    UNTIL(hal_power_ended_count() >= 1);
    CHECK(hal_power_ended(1) && !hal_power_ended(hal_cluster()));
    CHECK(hal_power_ended_set(0) == 1 << 1 || hal_power_ended_set(0) == (1 << 1 | 1 << 2));
    if (hal_cluster() == 2) {
        CHECK_EQ(hal_power_ended_count(), 1);
        CHECK_EQ(hal_core_start(2, powers_off, NULL), 0); /* any core may end the cluster */
        sleeps(NULL);
    }
    UNTIL(hal_power_ended_count() == 2);
    CHECK_EQ(hal_power_ended_set(0), 1 << 1 | 1 << 2);
    CHECK_EQ(hal_power_ended_set(HAL_CLUSTERS_MAX / 64 - 1), 0);
    hal_power_off(0);
}

static void returns(void *arg)
{
    (void)arg;
    CHECK_EQ(hal_core_start(3, sleeps, NULL), 0);
}

static void largest(void *arg)
{
    (void)arg;
    hal_power_off(hal_cluster() == 2 ? 255 : 0);
}

/* What a cluster sent before its end arrives, and before its end is seen. */
static void last_words(void *arg)
{
    (void)arg;
    int from;
    struct hal_mail m = {.header = {1}, .data = {2}};
    if (hal_cluster() == 2) {
        CHECK_EQ(hal_mailbox_send(0, &m, 1), 0);
        CHECK_EQ(hal_sync_signal(0, 11), 0);
        hal_power_off(0);
    }
    if (hal_cluster() == 0) {
        uint64_t word;
        UNTIL(hal_power_ended(2));
        const struct hal_mail *got = hal_mailbox_peek(&from);
        CHECK(got && from == 2 && got->header[0] == 1 && got->data[0] == 2);
        CHECK_EQ(hal_sync_peek(&from, &word), 0);
        CHECK(from == 2 && word == 11);
    }
}

static void aborts(void *arg)
{
    (void)arg;
    contract_meet();
    if (hal_cluster() == 1)
        hal_abort(7, "the reason");
    sleeps(NULL);
}

static void aborts_silently(void *arg)
{
    (void)arg;
    if (hal_cluster() == 0)
        hal_abort(8, NULL);
    sleeps(NULL);
}

static bool tells_why(const char *text)
{
    const char *why = strstr(text, "the reason");
    CHECK(why && !strstr(why + 1, "the reason")); /* once */
    CHECK(strstr(text, "cluster 1") && strstr(text, "cluster 1") < why);
    CHECK(strstr(text, "core 0") && strstr(text, "core 0") < why);
    return true;
}

static bool tells_nothing(const char *text)
{
    return !strstr(text, "null");
}

/* All wait for ever: a deadlock where that is seen, a time-out elsewhere. */
CONTRACT({.boot = in_turn, .status = 3}, {.boot = returns}, {.boot = largest, .status = 255},
         {.boot = last_words}, {.boot = aborts, .status = 7, .good = tells_why},
         {.boot = aborts_silently, .status = 8, .good = tells_nothing},
         {.boot = sleeps, .status = 124, .stuck = true});
