/* SPDX-License-Identifier: MIT */
/* Atomic loads and stores of 64 bits, which a processor of 32 has not got, and for which compilers
 * call these functions. A lock makes them so: among the cores of one cluster, since each cluster
 * has a lock of its own, and a program in user mode another. What several of these share has no
 * such words. The holder needs a few instructions, but where harts take turns its turn may be over
 * in between, so who waits gives up its own. */
#include <stdatomic.h>
#include <stdint.h>

#include "width.h"

#if RV_WORD < 8
uint64_t wide_load(const volatile void *at, int order) __asm__("__atomic_load_8");
void wide_store(volatile void *at, uint64_t value, int order) __asm__("__atomic_store_8");

static _Atomic(uint32_t) taken;

static void take(void)
{
    while (atomic_exchange(&taken, 1) != 0)
        rv_yield();
}

uint64_t wide_load(const volatile void *at, int order)
{
    (void)order; /* the strongest is each of them, too */
    take();
    uint64_t value = *(const volatile uint64_t *)at;
    atomic_exchange(&taken, 0);
    return value;
}

void wide_store(volatile void *at, uint64_t value, int order)
{
    (void)order;
    take();
    *(volatile uint64_t *)at = value;
    atomic_exchange(&taken, 0);
}
#endif
