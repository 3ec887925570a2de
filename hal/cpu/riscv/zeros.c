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

/* Of a number that has one bit, five bits of the product tell which it is (de Bruijn). */
int __ctzdi2(uint64_t x)
{
    static const uint8_t place[32] = {0,  1,  28, 2,  29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4,  8,
                                      31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6,  11, 5,  10, 9};
    uint32_t low = (uint32_t)x, word = low ? low : (uint32_t)(x >> 32);
    return (low ? 0 : 32) + place[(word & -word) * 0x077cb531 >> 27];
}
