/* SPDX-License-Identifier: MIT */
/* Counters go over the serial line as they come, to who started QEMU, if they are wanted there. */
#include "riscv.h"

#include <base/fmt.h>
#include <hal/console.h>
#include <hal/trace.h>

#define LINE "%c%.31s %llu\n"

static void tell(char how, const char *name, uint64_t value)
{
    char text[96];
    if (rv_board()->stats) {
        int n = b_fmt(NULL, 0, LINE, how, name, (unsigned long long)value);
        n = b_fmt(text, sizeof text, HAL_VIRT_OUTPUT LINE, HAL_VIRT_COUNTER, rv_cluster, n, how,
                  name, (unsigned long long)value);
        hal_console_write(text, (size_t)n);
    }
}

void hal_count(const char *name, uint64_t add)
{
    tell(HAL_VIRT_SUM, name, add);
}

void hal_count_max(const char *name, uint64_t value)
{
    tell(HAL_VIRT_MOST, name, value);
}
