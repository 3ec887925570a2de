/* SPDX-License-Identifier: MIT */
/* All harts of `virt` see one counter, of 10 MHz; the machine says how many cycles a second has. */
#include "riscv.h"

#include <hal/clock.h>

uint64_t rv_cycles(void)
{
    uint64_t ticks = rv_time(), hz = hal_machine()->hz;
    uint64_t seconds = ticks / RV_TICKS_PER_SECOND, rest = ticks % RV_TICKS_PER_SECOND;
    hal_here_clock = seconds * hz + rest * hz / RV_TICKS_PER_SECOND;
    return hal_here_clock;
}

/* Who looks at the clock again and again waits for time to pass, perhaps without ever sleeping: a
 * thread that sleeps for less than the kernel needs to put it to sleep. */
uint64_t hal_clock_cycles(void)
{
    rv_turn();
    return rv_cycles();
}

uint64_t hal_clock_ns(void)
{
    return rv_time() * (UINT64_C(1000000000) / RV_TICKS_PER_SECOND);
}

uint64_t hal_clock_hz(void)
{
    return hal_machine()->hz;
}
