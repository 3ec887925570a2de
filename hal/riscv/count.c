/* SPDX-License-Identifier: MIT */
/* Counters go over the serial line as they come, to who started QEMU, if they are wanted there. */
#include "riscv.h"

#include <base/fmt.h>
#include <hal/console.h>
#include <hal/trace.h>

static void tell(char how, const char *name, uint64_t value)
{
    char text[128], line[80];
    if (rv_board()->stats) {
        int n = b_fmt(line, sizeof line, "%c%s %llu\n", how, name, (unsigned long long)value);
        n = b_fmt(text, sizeof text, HAL_VIRT_OUTPUT "%s", HAL_VIRT_COUNTER, rv_cluster, n, line);
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
