/* SPDX-License-Identifier: MIT */
/* What an arc does to its successor.
 *
 * A dependency arc counts how often it was met; a task is activated when each of its dependencies
 * was met, and that uses up one of each. A flow arc activates a task that has no dependencies, and
 * brings only arguments to one that has. A task that is not at rest when it should be activated
 * remembers it, as a count (flow) or in its arcs (dependencies), and is activated when it comes to
 * rest. So no release is lost and none counts twice. */
#include "engine.h"

void kern_task_activate(struct kern_tasks *e, struct k_task *t)
{
    enum k_task_criterion criterion = (t->flags & TASK_CRITERION) >> TASK_CRITERION_SHIFT;
    t->at = t->home;
    if (criterion == K_TO_STOPPED)
        kern_task_put_stopped(e, t);
    else if (criterion == K_TO_PERIODIC)
        kern_task_put_delta(e, t);
    else
        kern_task_put_ready(e, t, false);
}

/* Uses one token of each dependency of t, all of which have one. */
static void consume(struct k_task *t)
{
    for (struct k_arc *a = t->in; a; a = a->in_next)
        if ((a->kind & K_DEPENDENCY) != 0 && --a->tokens == 0)
            t->unmet++;
}

void kern_task_release(struct kern_tasks *e, struct k_task *t)
{
    if (task_at_rest(t))
        kern_task_activate(e, t);
    else
        t->pending++;
}

void kern_task_settle(struct kern_tasks *e, struct k_task *t)
{
    if (t->deps != 0 && t->unmet == 0) {
        consume(t);
        kern_task_activate(e, t);
    } else if (t->pending != 0) {
        t->pending--;
        kern_task_activate(e, t);
    }
}

/* A dependency is met. If it was temporary and the only one, nothing in the graph would remember
 * that when t is not at rest, so it counts like a flow release. */
static void meet(struct kern_tasks *e, struct k_arc *arc)
{
    struct k_task *to = arc->to;
    if (arc->tokens++ == 0)
        to->unmet--;
    if ((arc->kind & K_TEMPORARY) != 0)
        kern_task_cut(e, arc);
    if (to->deps == 0)
        kern_task_release(e, to);
    else if (to->unmet == 0 && task_at_rest(to))
        kern_task_settle(e, to);
}

void kern_task_select(struct kern_tasks *e, struct k_arc *arc, const struct task_run *run)
{
    struct k_task *to = arc->to;
    for (int i = 0; run && i < K_TASK_ARGS; i++)
        if ((run->passed >> i & 1) != 0)
            to->arg[i] = run->arg[i];
    if ((arc->kind & K_DEPENDENCY) != 0) {
        meet(e, arc);
        return;
    }
    if ((arc->kind & K_TEMPORARY) != 0)
        kern_task_cut(e, arc);
    if (to->deps == 0)
        kern_task_release(e, to);
}

void kern_task_forget(struct k_task *t)
{
    t->pending = 0;
    t->unmet = t->deps;
    for (struct k_arc *a = t->in; a; a = a->in_next)
        a->tokens = 0;
}
