/* SPDX-License-Identifier: MIT */
/* hal/sync.h: words are latched, ordered, bounded, and taken in turn. */
#include "contract.h"

#define WORDS 2000

static uint64_t take(int *from)
{
    uint64_t word;
    UNTIL(hal_sync_peek(from, &word) == 0);
    CHECK_EQ(hal_sync_release(*from), 0);
    return word;
}

static void test_refusals(void)
{
    int from;
    uint64_t word;
    CHECK_EQ(hal_sync_signal(3, 1), -B_EHOSTUNREACH);
    CHECK_EQ(hal_sync_signal(-1, 1), -B_EHOSTUNREACH);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(hal_sync_release(i), -B_EINVAL);
    CHECK_EQ(hal_sync_peek(&from, &word), -B_EAGAIN);
}

/* To itself, with nobody waiting: kept, in order, until taken; full is refused. */
static void test_latched(void)
{
    int me = hal_cluster(), slots = (int)hal_machine()->sync_slots, from;
    for (int i = 0; i < slots; i++)
        UNTIL(hal_sync_signal(me, UINT64_MAX - (uint64_t)i) == 0);
    CHECK_EQ(hal_sync_signal(me, 5), -B_EAGAIN);
    for (uint64_t end = contract_after(100000); hal_clock_cycles() < end;)
        hal_event_wait(end);
    for (int i = 0; i < slots; i++) {
        CHECK(take(&from) == UINT64_MAX - (uint64_t)i);
        CHECK_EQ(from, me);
    }
    UNTIL(hal_sync_signal(me, 0) == 0); /* an event tells of the free slot */
    CHECK_EQ(take(&from), 0);
    CHECK_EQ(hal_sync_release(me), -B_EINVAL);
}

/* Both others keep their slots full; every word comes once, each sender's in order. */
static void test_order(void)
{
    if (hal_cluster() != 0) {
        for (uint64_t i = 0; i < WORDS; i++)
            UNTIL(hal_sync_signal(0, i << 32 | (uint64_t)hal_cluster()) == 0);
        /* Nothing else until cluster 0 has counted. */
        int from;
        contract_receive(&from);
        CHECK_EQ(hal_mailbox_release(from, 0), 0);
    } else {
        uint64_t got[3] = {0}, word;
        int from, first;
        for (int i = 0; i < 2 * WORDS; i++) {
            UNTIL(hal_sync_peek(&first, &word) == 0);
            from = (int)(word & 0xff);
            CHECK_EQ(from, first);
            CHECK_EQ(word >> 32, got[from]);
            got[from]++;
            CHECK_EQ(hal_sync_release(from), 0);
        }
        CHECK(got[1] == WORDS && got[2] == WORDS);
        for (int to = 1; to < 3; to++) {
            struct hal_mail m = {.header = {0}};
            contract_send(to, &m, 0);
        }
    }
    contract_meet();
}

/* Nobody talks to anybody else. */
static void boot_alone(void *arg)
{
    (void)arg;
    test_refusals();
    test_latched();
}

static void boot(void *arg)
{
    (void)arg;
    test_order();
    /* A word sent while the receiver does something else, and long before it looks. */
    struct hal_mail m = {.header = {0}};
    int from;
    if (hal_cluster() == 1) {
        contract_receive(&from);
        CHECK_EQ(hal_mailbox_release(from, 0), 0);
        CHECK_EQ(hal_sync_signal(2, 42), 0);
    } else if (hal_cluster() == 2) {
        contract_send(1, &m, 0);
        UNTIL(hal_mailbox_verdict(1) == 0);
        for (uint64_t end = contract_after(100000); hal_clock_cycles() < end;)
            hal_event_wait(end);
        CHECK_EQ(take(&from), 42);
        CHECK_EQ(from, 1);
    }
    contract_meet();
}

/* With both senders' slots full, words of both come out alternately. */
static void boot_alternate(void *arg)
{
    (void)arg;
    int slots = (int)hal_machine()->sync_slots;
    if (hal_cluster() != 0) {
        for (int i = 0; i < slots; i++)
            CHECK_EQ(hal_sync_signal(0, (uint64_t)i), 0);
        /* A message may overtake words, so let them arrive first. */
        for (uint64_t end = contract_after(1000000); hal_clock_cycles() < end;)
            hal_event_wait(end);
        struct hal_mail m = {.header = {0}};
        contract_send(0, &m, 0);
        UNTIL(hal_mailbox_verdict(0) >= 0);
    } else {
        int from, served[3] = {0};
        for (int i = 0; i < 2; i++) {
            contract_receive(&from);
            CHECK_EQ(hal_mailbox_release(from, 0), 0);
        }
        for (int i = 0; i < 2 * slots; i++) {
            CHECK_EQ(take(&from), served[from]);
            served[from]++;
            CHECK(served[1] - served[2] <= 1 && served[2] - served[1] <= 1);
        }
    }
}

CONTRACT({.boot = boot_alone}, {.boot = boot}, {.boot = boot_alternate});
