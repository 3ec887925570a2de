/* SPDX-License-Identifier: MIT */
/* How many bits below or above the ones of a number are zero: compilers call these functions, as
 * the processor has no instruction for it. Those of libgcc look into a table of 256 bytes, which
 * kernel and program would each have. */
#include <stdint.h>

int __clzdi2(uint64_t x);
int __ctzdi2(uint64_t x);

/* Of no zero. In halves, as a processor of 32 bits calls functions to shift more. */
int __clzdi2(uint64_t x)
{
    uint32_t high = (uint32_t)(x >> 32), word = high ? high : (uint32_t)x;
    int n = high ? 0 : 32;
    for (int step = 16; step > 0; step /= 2) {
        if (word >> (32 - step) == 0) {
            word <<= step;
            n += step;
        }
    }
    return n;
}

int __ctzdi2(uint64_t x)
{
    return 63 - __clzdi2(x & -x);
}
