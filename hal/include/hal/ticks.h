/* SPDX-License-Identifier: MIT */
/* Hosted ports only: a clock of this computer, whatever the machine has, that costs next to
 * nothing: ticks of some length, always the same. 0 at all times: there is none. From any
 * context. */
#ifndef HAL_TICKS_H
#define HAL_TICKS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)

static inline uint64_t hal_host_ticks(void)
{
    return __builtin_ia32_rdtsc();
}

#elif defined(__aarch64__)

static inline uint64_t hal_host_ticks(void)
{
    uint64_t t;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
    return t;
}

#else

static inline uint64_t hal_host_ticks(void)
{
    return 0;
}

#endif

/* Does it run at one rate, and alike on all processors? */
bool hal_ticks_steady(void);

#endif
