/* SPDX-License-Identifier: MIT */
/* hal/event.h: latched, with deadlines, none lost, the network's events to chosen cores. */
#include "contract.h"

#define ROUNDS 2000

/* Waits to the deadline; how often the wait came back early. */
static int wait_to(uint64_t deadline)
{
    int early = 0;
    for (;;) {
        hal_event_wait(deadline);
        if (hal_clock_cycles() >= deadline) {
            return early;
        }
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

static _Atomic int ball[8];

static void returns_the_ball(void *arg)
{
    _Atomic int *b = arg;
    for (int i = 0; i < ROUNDS; i++) {
        while (atomic_load_explicit(b, memory_order_relaxed) != 2 * i + 1) {
            hal_event_wait(HAL_NEVER);
        }
        atomic_store_explicit(b, 2 * i + 2, memory_order_relaxed);
        hal_event_notify(0);
    }
}

static void test_none_lost(void)
{
    _Atomic int *b = &ball[hal_cluster()];
    CHECK_EQ(hal_core_start(1, returns_the_ball, (void *)b), 0);
    for (int i = 0; i < ROUNDS; i++) {
        atomic_store_explicit(b, 2 * i + 1, memory_order_relaxed);
        hal_event_notify(1);
        while (atomic_load_explicit(b, memory_order_relaxed) != 2 * i + 2) {
            hal_event_wait(HAL_NEVER);
        }
    }
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
    while (hal_mailbox_peek(&from) == NULL) {
        hal_event_wait(HAL_NEVER);
    }
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
        for (uint64_t end = contract_after(1000000); hal_clock_cycles() < end;) {
            hal_event_relax();
        }
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
    test_network_latch();
    if (hal_cluster() == 2) {
        CHECK_EQ(hal_core_start(3, reads_plainly, NULL), 0);
        UNTIL(atomic_load(&seen[2]));
        CHECK_EQ(plain[2], 77);
    }
    test_network_events();
}

int main(void)
{
    CHECK_EQ(contract_run(boot), 0);
    return 0;
}
