/* SPDX-License-Identifier: MIT */
/* hal/clock.h: it runs, never backwards, at the rate it says, and alike on all cores. */
#include "contract.h"

static uint64_t there; /* what the other core read, once it has told so */
static _Atomic uint32_t told;

static void entry(void *arg)
{
    (void)arg;
    there = hal_clock_cycles();
    atomic_store(&told, 1);
    hal_event_notify(0);
}

/* Both clocks at one instant: nobody took the processor away between the two. */
static void read_both(double *cycles, double *ns)
{
    uint64_t before, between, limit = hal_clock_hz() / 50000; /* 20 us */
    do {
        before = hal_clock_cycles();
        between = hal_clock_ns();
    } while (hal_clock_cycles() - before > limit);
    *cycles = (double)before;
    *ns = (double)between;
}

static void test_rate(void)
{
    double c0, n0, c1, n1;
    read_both(&c0, &n0);
    uint64_t end = contract_after(2000000);
    while (hal_clock_cycles() < end)
        hal_event_wait(end); /* it advances while nobody does anything but wait */
    read_both(&c1, &n1);
    CHECK(n1 - n0 >= 1950000);
    double ratio = (c1 - c0) / (double)hal_clock_hz() / ((n1 - n0) * 1e-9);
    CHECK(ratio > 0.97 && ratio < 1.03);
}

static void boot(void *arg)
{
    (void)arg;
    CHECK(hal_clock_hz() >= 1000);
    CHECK_EQ(hal_clock_hz(), hal_machine()->hz);
    uint64_t last = hal_clock_cycles();
    for (int i = 0; i < 10000; i++) {
        uint64_t now = hal_clock_cycles();
        CHECK(now >= last);
        last = now;
    }
    uint64_t recent = hal_clock_recent();
    CHECK(recent >= last && recent <= hal_clock_cycles());
    test_rate();
    /* A relaxing loop sees time pass. */
    uint64_t end = contract_after(10000);
    for (int i = 0; hal_clock_cycles() < end; i++) {
        CHECK(i < 100000000);
        hal_event_relax(true);
    }
    if (hal_cluster() == 0) {
        uint64_t before = hal_clock_cycles(), skew = hal_clock_hz() / 1000 + 1;
        CHECK_EQ(hal_core_start(1, entry, NULL), 0);
        UNTIL(atomic_load(&told) != 0);
        CHECK(there + skew >= before);
        CHECK(hal_clock_cycles() + skew >= there);
    }
}

CONTRACT({.boot = boot});
