/* SPDX-License-Identifier: MIT */
/* hal/clock.h: it runs, never backwards, at the rate it says, and alike on all cores. */
#include "contract.h"

static _Atomic uint64_t there;

static void entry(void *arg)
{
    (void)arg;
    atomic_store(&there, hal_clock_cycles());
    hal_event_notify(0);
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
    /* It advances while nobody does anything but wait, and both units agree. */
    uint64_t c0 = hal_clock_cycles(), n0 = hal_clock_ns(), end = contract_after(2000000);
    while (hal_clock_cycles() < end) {
        hal_event_wait(end);
    }
    double cycles = (double)(hal_clock_cycles() - c0), ns = (double)(hal_clock_ns() - n0);
    double ratio = cycles / (double)hal_clock_hz() / (ns * 1e-9);
    CHECK(ns >= 1990000 && ratio > 0.9 && ratio < 1.1);
    /* A relaxing loop sees time pass. */
    end = contract_after(10000);
    for (int i = 0; hal_clock_cycles() < end; i++) {
        CHECK(i < 100000000);
        hal_event_relax();
    }
    if (hal_cluster() == 0) {
        uint64_t before = hal_clock_cycles(), skew = hal_clock_hz() / 1000 + 1;
        CHECK_EQ(hal_core_start(1, entry, NULL), 0);
        UNTIL(atomic_load(&there) != 0);
        CHECK(atomic_load(&there) + skew >= before);
        CHECK(hal_clock_cycles() + skew >= atomic_load(&there));
    }
}

int main(void)
{
    CHECK_EQ(contract_run(boot), 0);
    return 0;
}
