/* SPDX-License-Identifier: MIT */
/* How a task runs: by the Dispatcher of a core, or by the owner of its bell; and what its function
 * may ask and say meanwhile. */
#include "engine.h"

enum { BATCH = 16 };

void kern_task_take_through(struct kern_tasks *e, struct k_task *t, struct task_run **at)
{
    struct task_run run;
    run.task = t;
    run.value = 0;
    run.passed = 0;
    /* A release may bring new arguments, for the next run, while this one runs. */
    for (int i = 0; i < K_TASK_ARGS; i++)
        run.arg[i] = t->arg[i];
    t->state = K_TASK_RUNNING;
    task_guard_give(&e->guard);
    *at = &run;
    int conclusion = t->fn(run.arg[0], run.arg[1], run.arg[2], run.arg[3], run.arg[4]);
    *at = NULL;
    task_charge(2); /* its two queue operations */
    task_guard_take(&e->guard);
    kern_task_conclude(e, t, conclusion, &run);
}

/* The thread runs them as itself: a kernel call in one of them may wait for core 0, and others of
 * the core run. */
int kern_task_serve(struct k_bell *b)
{
    struct task_run **at = task_server(b);
    if (!at)
        return -B_EPERM;
    int n = 0;
    struct kern_tasks *e = task_lock();
    for (struct k_task *t; n < BATCH && (t = kern_task_take_bell(b)); n++)
        kern_task_take_through(e, t, at);
    bool more = atomic_load_explicit(&b->tasks, memory_order_relaxed) != NULL;
    task_unlock(e);
    if (more)
        task_bell_ring(b);
    return n;
}

struct k_task *kern_task_current(void)
{
    const struct task_run *run = kern_task_running();
    return run ? run->task : NULL;
}

int kern_task_return(long value)
{
    struct task_run *run = kern_task_running();
    if (!run)
        return -B_EPERM;
    run->value = value;
    return 0;
}

int kern_task_pass(int index, long value)
{
    struct task_run *run = kern_task_running();
    if (!run)
        return -B_EPERM;
    if (index < 0 || index >= K_TASK_ARGS)
        return -B_EINVAL;
    run->arg[index] = value;
    run->passed |= 1u << index;
    return 0;
}
