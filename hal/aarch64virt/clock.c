/* SPDX-License-Identifier: MIT */
/* The counter that all cores share. */
#include <hal/clock.h>

#include "port.h"

/* Who looks at the clock again and again waits for time to pass, perhaps without ever sleeping: a
 * thread that sleeps for less than the kernel needs to put it to sleep. */
uint64_t hal_clock_cycles(void)
{
    static _Thread_local unsigned looks;
    port_turn(&looks);
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
