/* SPDX-License-Identifier: MIT */
/* Scheduling policies of the ready queue, and the rank that one of them goes by.
 *
 * simple   (souto-2022, 4.2): one level; high priority enters at the front, low at the back.
 *          Tasks of the kernel have a level of their own above it.
 * critical (its future work): a task with more tasks after it goes first, because whatever delays
 *          the longest walk through a flow delays the flow; high priority goes before all.
 *
 * The rank of a task is the number of arcs on the longest walk that begins there, at most
 * TASK_RANK_MAX. A cycle is an endless walk, so whoever leads into one has the highest rank. */
#include "engine.h"

static unsigned simple(const struct k_task *t)
{
    return ((t->flags & TASK_KERNEL) != 0 ? 1u : 0u) |
           ((t->flags & TASK_HIGH) != 0 ? KERN_TASK_FRONT : 0u);
}

static unsigned critical(const struct k_task *t)
{
    return (t->flags & (TASK_HIGH | TASK_KERNEL)) != 0 ? KERN_TASK_LEVELS - 1 : t->rank;
}

_Static_assert(TASK_RANK_MAX < KERN_TASK_LEVELS - 1, "high priority is above all ranks");

const struct kern_task_policy kern_task_policies[] = {
    {"simple", false, simple},
    {"critical", true, critical},
};

/* Ranks along the walk that this follows backwards grow by one with each step, whether they grew or
 * shrank, and it stops where a rank stays what it was: so it is at most TASK_RANK_MAX calls deep
 * and visits only tasks whose rank changes, and their successors. */
void kern_task_rank(struct k_task *t)
{
    unsigned rank = 0;
    for (const struct k_arc *a = t->out; a; a = a->out_next) {
        unsigned here = a->to->rank + 1u;
        rank = here > rank ? here : rank;
    }
    rank = rank < TASK_RANK_MAX ? rank : TASK_RANK_MAX;
    if (rank == t->rank)
        return;
    t->rank = (uint8_t)rank;
    for (const struct k_arc *a = t->in; a; a = a->in_next)
        kern_task_rank(a->from);
}

static bool same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

int kern_task_policy(const char *name)
{
    int error = -B_EINVAL;
    struct kern_tasks *e = task_lock();
    for (size_t i = 0; i < sizeof kern_task_policies / sizeof kern_task_policies[0]; i++) {
        if (same(kern_task_policies[i].name, name)) {
            error = e->ready == 0 ? 0 : -B_EBUSY;
            e->policy = error == 0 ? &kern_task_policies[i] : e->policy;
        }
    }
    task_unlock(e);
    return error;
}
