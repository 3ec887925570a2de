/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "op/half.h"

float mpi_from_half(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7fff, bits;
    float value;
    if (rest >= 0x7c00) /* infinite, not a number */
        bits = 0x7f800000 | (rest & 0x3ff) << 13;
    else if (rest >= 0x400)
        bits = (rest << 13) + ((127u - 15u) << 23);
    else { /* subnormal: exact as a float */
        value = (float)rest * 0x1p-24f;
        memcpy(&bits, &value, sizeof bits);
    }
    bits |= sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Drops the last n bits of `bits`, rounding. */
static uint32_t rounded(uint32_t bits, unsigned int n)
{
    uint32_t half = 1u << (n - 1), kept = bits >> n, lost = bits & ((1u << n) - 1);
    return kept + (lost > half || (lost == half && kept & 1));
}

uint16_t mpi_to_half(float value)
{
    uint32_t bits, out;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    if (rest > 0x7f800000)
        out = 0x7e00 | (rest >> 13 & 0x3ff); /* quiet */
    else if (rest >= 0x477ff000)             /* rounds to 65536 or more */
        out = 0x7c00;
    else if (rest >= 0x38800000) /* 2^-14, the least normal one */
        out = rounded(rest - ((127u - 15u) << 23), 13);
    else if (rest >= 0x33000000) /* 2^-25, half of the least subnormal one */
        out = rounded((rest & 0x7fffff) | 0x800000, 126 - (rest >> 23));
    else
        out = 0;
    return (uint16_t)(sign | out);
}
