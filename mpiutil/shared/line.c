/* SPDX-License-Identifier: MIT */
#include "shared/line.h"

#include <base/config.h>

void mpu_lines_expect(const void *at, uint64_t n)
{
    for (uint64_t i = 0; i < n; i += KERN_LINE)
        __builtin_prefetch((const uint8_t *)at + i, 1);
}
