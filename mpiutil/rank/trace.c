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

void mpu_span_end(const struct mpu_span *s)
{
    struct k_span span = {s->name, s->begin};
    if (span.name)
        k_trace_end(&span);
}

/* The kernel is told when another counter's turn comes, and at the end. */
void mpu_count(struct mpu_rank *r, const char *name)
{
    if (r->counted.name != name)
        mpu_counted(r);
    r->counted.name = name;
    r->counted.times++;
}

__attribute__((cold)) void mpu_counted(struct mpu_rank *r)
{
    if (r->counted.times)
        k_count(r->counted.name, r->counted.times);
    r->counted.times = 0;
}
