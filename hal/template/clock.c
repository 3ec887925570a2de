/* SPDX-License-Identifier: MIT */
/* To write: a counter that all cores of the machine share, or one per core and its offset. The
 * conversion to nanoseconds must not overflow after an hour. hal_clock_cycles leaves what it says
 * in hal_here_clock, for hal_clock_recent. */
#include <hal/clock.h>

#include <hal/machine.h>

#include "missing.h"

uint64_t hal_clock_cycles(void)
{
    MISSING();
    return 0;
}

uint64_t hal_clock_ns(void)
{
    MISSING();
    return 0;
}

uint64_t hal_clock_hz(void)
{
    return hal_machine()->hz;
}
