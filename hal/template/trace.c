/* SPDX-License-Identifier: MIT */
/* A machine without a file system may leave these as they are. */
#include <hal/trace.h>

bool hal_trace_on(void)
{
    return false;
}

void hal_trace_begin(struct hal_span *s, const char *name)
{
    *s = (struct hal_span){.name = name};
}

void hal_trace_end(const struct hal_span *s)
{
    (void)s;
}

void hal_trace_value(const char *name, uint64_t value)
{
    (void)name;
    (void)value;
}
