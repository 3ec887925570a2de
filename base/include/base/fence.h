/* SPDX-License-Identifier: MIT */
/* What the caller wrote before is visible to all processors before it reads anything after. */
#ifndef BASE_FENCE_H
#define BASE_FENCE_H

#include <stdatomic.h>
#include <stdint.h>

/* An exchange, which thread sanitizers know; they know no fences. What is written before it is to
 * be a release, what is read after it sequentially consistent: some processors order these two by
 * themselves, and not by an exchange of another word. */
static inline __attribute__((always_inline)) void b_fence(void)
{
    _Atomic(uint32_t) word = 0;
    atomic_exchange(&word, 1);
}

#endif
