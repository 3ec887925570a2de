/* SPDX-License-Identifier: MIT */
#include <mpiutil/trace.h>
#include <sys/k_info.h>

#include "rank/rank.h"

void mpu_span_begin(struct mpu_span *s, const char *name)
{
    struct k_span span = {0};
    if (mpu_cluster()->traced)
        k_trace_begin(&span, name);
    *s = (struct mpu_span){span.name, span.begin};
}

/* Out of line, as a static program has few bytes to spare for what it does not do. */
__attribute__((noinline)) void mpu_span_end(struct mpu_rank *r, const struct mpu_span *s)
{
    struct k_span span = {s->name, s->begin};
    if (span.name)
        mpu_traced(r, &span);
}

/* The kernel is told when another counter's turn comes, when there is no room, and at the end. */
void mpu_count(struct mpu_rank *r, const char *name)
{
    if (r->counted != name || r->counted_times == UINT32_MAX)
        mpu_counted(r);
    r->counted = name;
    r->counted_times++;
}

__attribute__((cold)) void mpu_counted(struct mpu_rank *r)
{
    if (r->counted_times)
        k_count(r->counted, r->counted_times);
    r->counted_times = 0;
}
