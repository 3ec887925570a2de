/* SPDX-License-Identifier: MIT */
/* The counter that all cores share. */
#include <hal/clock.h>

uint64_t hal_clock_cycles(void)
{
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(hal_here_clock) : : "memory");
    return hal_here_clock;
}

uint64_t hal_clock_ns(void)
{
    uint64_t now = hal_clock_cycles(), hz = hal_clock_hz();
    return now / hz * 1000000000 + now % hz * 1000000000 / hz;
}

uint64_t hal_clock_hz(void)
{
    uint64_t hz;
    __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
    return hz;
}
