/* SPDX-License-Identifier: MIT */
#include <mpiutil/trace.h>
#include <sys/k_info.h>

#include "rank/rank.h"

/* Those of several ranks of a core overlap. */
static bool draws(const struct mpu_rank *r)
{
    return !r->drawn && r->at_core->ranks == 1;
}

/* Out of line, as a static program has few bytes to spare for what it does not do. */
__attribute__((noinline)) void mpu_span_begin(struct mpu_rank *r, struct mpu_span *s,
                                              const char *name)
{
    s->core.name = r->cluster->traced ? name : NULL;
    if (s->core.name && draws(r))
        k_trace_begin(&s->core, name);
}

__attribute__((noinline)) void mpu_span_end(struct mpu_rank *r, const struct mpu_span *s, bool way)
{
    if (!s->core.name)
        return;
    if (draws(r))
        k_trace_end(&s->core);
    if (way)
        r->way = s->core.name;
}

const char **mpu_last_way(struct mpu_rank *r)
{
    r->drawn = true;
    return &r->way;
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
