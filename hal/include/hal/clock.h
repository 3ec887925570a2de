/* SPDX-License-Identifier: MIT */
/* The clock. Time comes from here only, so virtual time is just another port. */
#ifndef HAL_CLOCK_H
#define HAL_CLOCK_H

#include <stdint.h>

#include <hal/core.h>

#define HAL_NEVER UINT64_MAX /* a deadline that never comes */

/* Cycles since the machine started, the same on all cores of a machine up to the port's skew (0 on
 * sim). Never runs backwards on one core; advances while anybody waits or works. */
uint64_t hal_clock_cycles(void);

/* An instant of the past, exact on sim; on real machines the calling core's last look at its clock,
 * which costs nothing. For notes of when something began, where a little earlier does no harm. */
static inline uint64_t hal_clock_recent(void)
{
    return hal_here_clock;
}

/* The same instant as hal_clock_cycles, in nanoseconds. */
uint64_t hal_clock_ns(void);

/* Cycles per second. */
uint64_t hal_clock_hz(void);

#endif
