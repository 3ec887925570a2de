/* SPDX-License-Identifier: MIT */
/* The counter of this computer's processor. */
#ifndef HAL_HOSTED_TICKS_H
#define HAL_HOSTED_TICKS_H

#include <stdint.h>

#if defined(__x86_64__)

#include <x86intrin.h>

static inline uint64_t hal_ticks(void)
{
    return __rdtsc();
}

#elif defined(__aarch64__)

static inline uint64_t hal_ticks(void)
{
    uint64_t t;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
    return t;
}

#else

static inline uint64_t hal_ticks(void)
{
    return 0;
}

#endif

#endif
