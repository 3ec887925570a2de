/* SPDX-License-Identifier: MIT */
#include <base/assert.h>

#include <stdio.h>

#include <hal/power.h>

#define STATUS_OF_ABORT 134 /* what a shell shows for a program that called abort() */

void b_assert_failed(const char *condition, const char *file, int line)
{
    char text[256];
    snprintf(text, sizeof text, "%s:%d: assertion failed: %s", file, line, condition);
    hal_abort(STATUS_OF_ABORT, text);
}
