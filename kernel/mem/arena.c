/* SPDX-License-Identifier: MIT */
/* The layout of a cluster's window: struct cluster, its pools, then page frames. */
#include <base/bitmap.h>
#include <base/config.h>
#include <hal/machine.h>
#include <hal/mem.h>
#include <kernel/cluster.h>
#include <kernel/ikc.h>
#include <kernel/mem.h>
#include <kernel/task.h>

#include "layout.h"

void *kern_arena_take(struct kern_arena *a, size_t n)
{
    size_t at = a->used;
    a->used += (n + KERN_LINE - 1) / KERN_LINE * KERN_LINE;
    return a->base && a->used <= a->size ? a->base + at : NULL;
}

struct cluster *kern_layout(struct kern_arena *a, const struct hal_machine *m, int cluster)
{
    size_t frames = hal_machine_window(m, cluster) / m->page_size;
    size_t words = B_BITMAP_WORDS(frames);
    struct cluster *c = kern_arena_take(a, sizeof *c);
    struct kern_core *core =
        kern_arena_take(a, (size_t)hal_machine_cores(m, cluster) * sizeof *core);
    struct kern_thread *thread = kern_arena_take(a, m->threads * sizeof *thread);
    uint64_t *used = kern_arena_take(a, 2 * words * sizeof *used);
    struct kern_ikc *ikc = kern_ikc_build(a, m, cluster);
    struct kern_tasks *tasks = kern_tasks_build(a, m, hal_machine_cores(m, cluster));
    if (c) {
        c->machine = m;
        c->id = cluster;
        c->cores = hal_machine_cores(m, cluster);
        c->core = core;
        c->thread = thread;
        c->frames.used.words = used;
        c->frames.first.words = used + words;
        c->ikc = ikc;
        c->tasks = tasks;
    }
    return c;
}

size_t kern_cluster_size(const struct hal_machine *m, int cluster)
{
    struct kern_arena count = {0};
    kern_layout(&count, m, cluster);
    return count.used;
}
