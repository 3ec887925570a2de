/* SPDX-License-Identifier: MIT */
/* hal/event.h: latched, with deadlines, none lost, watched words, the network's events to chosen
 * cores. */
#include "contract.h"

#define ROUNDS 2000

/* Waits to the deadline; how often the wait came back early. */
static int wait_to(uint64_t deadline)
{
    int early = 0;
    for (;;) {
        hal_event_wait(deadline);
        if (hal_clock_cycles() >= deadline)
            return early;
        CHECK(++early < 100);
    }
}

static void test_latch_and_deadline(void)
{
    uint64_t far = contract_after(PATIENT / 4), start = hal_clock_cycles();
    hal_event_wait(0); /* long past */
    hal_event_wait(start);
    hal_event_notify(0);
    hal_event_notify(0); /* twice is once: an event is no counter */
    hal_event_wait(far);
    hal_event_notify(0);
    hal_event_wait(HAL_NEVER);
    CHECK(hal_clock_cycles() < far);
    uint64_t soon = contract_after(1000000);
    CHECK(wait_to(soon) < 10); /* it was cleared: nothing wakes us before */
    CHECK(hal_clock_cycles() < far);
}

/* By words that the cores watch: an event is raised only for who says that he sleeps. */
static struct watched {
    _Alignas(KERN_LINE) _Atomic(uint32_t) ball;
    struct b_watch watch;
} watched[8][2];

static void write_word(struct watched *to, int core, uint32_t i)
{
    atomic_store(&to->ball, i);
    if (b_watch_asleep(&to->watch))
        hal_event_notify(core);
}

static void watch_until(struct watched *w, uint32_t i)
{
    w->watch.value = i;
    while (!b_watch_due(&w->watch))
        hal_event_watch(HAL_NEVER, &w->watch);
}

static void returns_the_word(struct watched *w)
{
    for (uint32_t i = 1; i <= ROUNDS; i++) {
        watch_until(&w[1], i);
        write_word(&w[0], 0, i);
    }
}

static _Atomic int ball[8];

static void returns_the_ball(void *arg)
{
    _Atomic int *b = arg;
    for (int i = 0; i < ROUNDS; i++) {
        while (atomic_load_explicit(b, memory_order_relaxed) != 2 * i + 1)
            hal_event_wait(HAL_NEVER);
        atomic_store_explicit(b, 2 * i + 2, memory_order_relaxed);
        hal_event_notify(0);
    }
    returns_the_word(watched[hal_cluster()]);
}

static void test_none_lost(void)
{
    _Atomic int *b = &ball[hal_cluster()];
    struct watched *w = watched[hal_cluster()];
    w[0].watch = (struct b_watch){.word = &w[0].ball, .value = 1};
    w[1].watch = (struct b_watch){.word = &w[1].ball, .value = 1};
    CHECK_EQ(hal_core_start(1, returns_the_ball, (void *)b), 0);
    for (int i = 0; i < ROUNDS; i++) {
        atomic_store_explicit(b, 2 * i + 1, memory_order_relaxed);
        hal_event_notify(1);
        while (atomic_load_explicit(b, memory_order_relaxed) != 2 * i + 2)
            hal_event_wait(HAL_NEVER);
    }
}

static void test_watch(void)
{
    struct watched *w = watched[hal_cluster()];
    uint64_t soon = contract_after(1000000);
    while (hal_clock_cycles() < soon)
        hal_event_watch(soon, &w[0].watch); /* not due: heeds the deadline */
    CHECK(!b_watch_asleep(&w[0].watch));
    hal_event_notify(0);
    hal_event_watch(HAL_NEVER, &w[0].watch); /* and the event */
    for (uint32_t i = 1; i <= ROUNDS; i++) {
        write_word(&w[1], 1, i);
        watch_until(&w[0], i);
    }
    hal_event_watch(HAL_NEVER, &w[0].watch); /* due: returns at once */
}

/* What was written before the notification, without any other ordering, is seen. */
static int plain[8];

static void writes_plainly(void *arg)
{
    (void)arg;
    plain[hal_cluster()] = 77;
    hal_event_notify(3);
}

static _Atomic int seen[8];

static void reads_plainly(void *arg)
{
    (void)arg;
    CHECK_EQ(hal_core_start(2, writes_plainly, NULL), 0);
    hal_event_wait(HAL_NEVER);
    atomic_store(&seen[hal_cluster()], 1);
    hal_event_notify(0);
}

static _Atomic int taken;

static void takes_mail(void *arg)
{
    (void)arg;
    int from;
    while (!hal_mailbox_peek(&from))
        hal_event_wait(HAL_NEVER);
    CHECK_EQ(hal_mailbox_release(from, 9), 0);
    atomic_store(&taken, 1);
    hal_event_notify(0);
}

static void test_network_events(void)
{
    CHECK_EQ(hal_event_noc(0), -B_EINVAL);
    CHECK_EQ(hal_event_noc(UINT64_C(1) << 4), -B_EINVAL);
    CHECK_EQ(hal_event_noc(UINT64_C(1) << 63), -B_EINVAL);
    struct hal_mail m = {.header = {1}};
    if (hal_cluster() == 1) {
        contract_meet();
        CHECK_EQ(hal_mailbox_send(0, &m, 0), 0);
        UNTIL(hal_mailbox_verdict(0) == 9);
    } else if (hal_cluster() == 0) {
        contract_meet();
        CHECK_EQ(hal_event_noc(UINT64_C(1) << 3 | UINT64_C(1) << 2), 0);
        CHECK_EQ(hal_core_start(3, takes_mail, NULL), 0);
        UNTIL(atomic_load(&taken));
        CHECK_EQ(hal_event_noc(1), 0);
    } else {
        contract_meet();
    }
    contract_meet();
}

/* An event of the network that comes while nobody waits is kept. */
static void test_network_latch(void)
{
    struct hal_mail m = {.header = {1}};
    int from;
    contract_meet(); /* else the event might come in time for the waits before */
    if (hal_cluster() == 1) {
        CHECK_EQ(hal_mailbox_send(0, &m, 0), 0);
        UNTIL(hal_mailbox_verdict(0) >= 0);
    } else if (hal_cluster() == 0) {
        for (uint64_t end = contract_after(1000000); hal_clock_cycles() < end;)
            hal_event_relax(true);
        uint64_t limit = contract_after(PATIENT / 4);
        hal_event_wait(limit);
        CHECK(hal_clock_cycles() < limit);
        UNTIL(hal_mailbox_peek(&from) != NULL);
        CHECK_EQ(hal_mailbox_release(from, 0), 0);
    }
    contract_meet();
}

static void boot(void *arg)
{
    (void)arg;
    test_latch_and_deadline();
    test_none_lost();
    test_watch();
    test_network_latch();
    if (hal_cluster() == 2) {
        CHECK_EQ(hal_core_start(3, reads_plainly, NULL), 0);
        UNTIL(atomic_load(&seen[2]));
        CHECK_EQ(plain[2], 77);
    }
    test_network_events();
}

CONTRACT({.boot = boot});
