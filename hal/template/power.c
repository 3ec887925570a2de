/* SPDX-License-Identifier: MIT */
/* To write: a word per cluster that says how it ended, and the board's way to switch itself off
 * (the test finisher of QEMU's virt machine, PSCI, a watchdog). A board that cannot tell a status
 * writes "status N" as its last line. When all cores wait without a deadline nobody can go on, and
 * the machine ends with status 124: count those that may do something, who wakes one counting it
 * before it is awake. Here the core stands still. */
#include <hal/power.h>

#include <base/assert.h>
#include <base/fmt.h>
#include <hal/console.h>

#include "missing.h"

_Noreturn void hal_power_off(int status)
{
    MISSING();
    (void)status;
    for (;;) {
    }
}

_Noreturn void hal_abort(int status, const char *why)
{
    (void)why;
    hal_power_off(status);
}

int hal_power_ended_count(void)
{
    MISSING();
    return 0;
}

uint64_t hal_power_ended_set(int word)
{
    MISSING();
    (void)word;
    return 0;
}

/* This one is complete. */
_Noreturn void b_assert_failed(const char *condition, const char *file, int line)
{
    char text[160];
    b_fmt(text, sizeof text, "%s:%d: assertion failed: %s", file, line, condition);
    hal_abort(134, text);
}
