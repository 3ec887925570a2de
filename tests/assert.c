/* SPDX-License-Identifier: MIT */
/* What a failed assertion does in unit tests that are linked without a hal. */
#include <base/assert.h>

#include <stdio.h>
#include <stdlib.h>

void b_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}
