/* SPDX-License-Identifier: MIT */
#include <mpiutil/trace.h>
#include <sys/k_info.h>

void mpu_span_begin(struct mpu_span *s, const char *name)
{
    struct k_span span = {0};
    if (k_traced())
        k_trace_begin(&span, name);
    *s = (struct mpu_span){span.name, span.begin};
}

void mpu_span_end(const struct mpu_span *s)
{
    struct k_span span = {s->name, s->begin};
    if (span.name)
        k_trace_end(&span);
}

void mpu_count(const char *name, uint64_t add)
{
    k_count(name, add);
}
