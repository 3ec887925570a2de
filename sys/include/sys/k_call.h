/* SPDX-License-Identifier: MIT */
/* The gate into the kernel: a function call on linux and sim, an ecall on riscv. */
#ifndef SYS_K_CALL_H
#define SYS_K_CALL_H

#include <stdint.h>

enum k_call_number {
#define K_CALL(name, class, arguments) K_NR_##name,
#include <sys/syscalls.def>
#undef K_CALL
    K_CALLS
};

/* Performs kernel call `number`. Returns what the call returns; -B_ENOSYS for an unknown number,
 * -B_EPERM where there is no kernel (before kern_boot, or outside of the cores it runs) or, for
 * a call that another core serves, no calling thread. */
long k_call(int number, long a0, long a1, long a2, long a3, long a4);

/* Where long has 32 bits a number of 64 is two arguments: (long)n and, in another, k_high(n), which
 * is 0 elsewhere. k_wide has both to one again. */
enum { K_HALF = 4 * sizeof(long) };

static inline long k_high(uint64_t n)
{
    return (long)(n >> K_HALF >> K_HALF);
}

static inline uint64_t k_wide(long low, long high)
{
    return (uint64_t)(unsigned long)low | (uint64_t)high << K_HALF << K_HALF;
}

/* A call whose answer has 64 bits: where that is more than long has, it comes through memory, to
 * which the last argument points. */
static inline uint64_t k_call_wide(int number, long a0, long a1, long a2, long a3)
{
    uint64_t wide = 0;
    long at = sizeof(long) < sizeof wide ? (long)&wide : 0;
    long answer = k_call(number, a0, a1, a2, a3, at);
    return at != 0 ? wide : (uint64_t)answer;
}

#endif
