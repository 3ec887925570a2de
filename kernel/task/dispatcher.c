/* SPDX-License-Identifier: MIT */
/* The Dispatcher of a core: runs the tasks that are ready there, one after the other, on the stack
 * of the context that polls. It has no thread: it shares core 0 of an asymmetric cluster with the
 * server of kernel calls, and sleeps when the core sleeps. */
#include "engine.h"

#include <hal/clock.h>
#include <hal/work.h>
#include <kernel/wait.h>
#include <sys/k_bell.h>

#include "../thread/sched.h"

enum { BATCH = 16, GIVES_WAY = 4 };

struct kern_tasks *kern_tasks_build(struct kern_arena *a, int cores)
{
    struct kern_tasks *e = kern_arena_take(a, sizeof *e);
    struct task_dispatcher *d = kern_arena_take(a, (size_t)cores * sizeof *d);
    if (e != NULL && d != NULL) {
        e->cores = cores;
        e->dispatcher = d;
        e->policy = &kern_task_policies[0];
        for (int i = 0; i < cores; i++) {
            atomic_store_explicit(&d[i].due, HAL_NEVER, memory_order_relaxed);
        }
        hal_lock_init(&e->lock, "tasks");
    }
    return e;
}

static struct task_dispatcher *own(const struct kern_core *core)
{
    return &core->cluster->tasks->dispatcher[core->id];
}

/* Takes t, which left its queue, through its function, without the lock, and its conclusion. *at
 * says meanwhile that it runs. */
static void take_through(struct kern_tasks *e, struct kern_core *core, struct k_task *t,
                         struct task_run **at)
{
    struct task_run run;
    run.task = t;
    run.value = 0;
    run.passed = 0;
    /* A release may bring new arguments, for the next run, while this one runs. */
    for (int i = 0; i < K_TASK_ARGS; i++) {
        run.arg[i] = t->arg[i];
    }
    t->state = K_TASK_RUNNING;
    hal_unlock(&e->lock);
    *at = &run;
    int conclusion = t->fn(run.arg[0], run.arg[1], run.arg[2], run.arg[3], run.arg[4]);
    *at = NULL;
    hal_work(2 * core->cluster->machine->cost.match); /* its two queue operations */
    hal_lock(&e->lock);
    kern_task_conclude(e, t, conclusion, &run);
}

/* No thread runs meanwhile: what would wait must see that. */
bool kern_task_run_next(struct kern_tasks *e, struct kern_core *core)
{
    struct task_dispatcher *d = &e->dispatcher[core->id];
    struct k_task *t = kern_task_take_ready(e, d);
    if (t == NULL) {
        return false;
    }
    struct kern_thread *thread = core->current;
    kern_current_set(core, NULL);
    take_through(e, core, t, &d->run);
    kern_current_set(core, thread);
    return true;
}

/* The thread runs them as itself: a kernel call in one of them may wait for core 0, and others of
 * the core run. */
int kern_task_serve(struct k_bell *b)
{
    struct kern_core *core = kern_core();
    struct kern_thread *thread = core->current;
    if (thread == NULL || kern_bell_owner(b) != thread || thread->run != NULL) {
        return -B_EPERM;
    }
    int n = 0;
    struct kern_tasks *e = task_lock();
    for (struct k_task *t; n < BATCH && (t = kern_task_take_bell(b)) != NULL; n++) {
        take_through(e, core, t, &thread->run);
    }
    bool more = atomic_load_explicit(&b->tasks, memory_order_relaxed) != NULL;
    task_unlock(e);
    if (more) {
        kern_bell_ring(b, K_BELL_TASK);
    }
    return n;
}

bool kern_task_waiting(struct kern_core *core)
{
    return atomic_load(&own(core)->count) != 0;
}

uint64_t kern_task_due(struct kern_core *core)
{
    return atomic_load(&own(core)->due);
}

static bool nothing_to_do(const struct task_dispatcher *d)
{
    uint64_t due = atomic_load_explicit(&d->due, memory_order_relaxed);
    return atomic_load_explicit(&d->count, memory_order_relaxed) == 0 &&
           (due == HAL_NEVER || due > hal_clock_cycles());
}

static bool calls_wait(const struct kern_core *core)
{
    return core->id == 0 &&
           atomic_load_explicit(&core->cluster->requests, memory_order_relaxed) != 0;
}

static bool threads_wait(const struct kern_core *core)
{
    return core->ready != NULL || atomic_load_explicit(&core->inbox, memory_order_relaxed) != NULL;
}

/* Tasks fill the time that the kernel calls of others leave. Where they leave none, one task runs
 * in every GIVES_WAY rounds, so that they cannot starve it. Tasks of the kernel do what calls asked
 * for, and do not give way. */
static bool gives_way(struct task_dispatcher *d, const struct kern_core *core)
{
    d->rounds = calls_wait(core) ? d->rounds + 1 : 0;
    return d->rounds % GIVES_WAY != 0;
}

static bool is_kernels(const struct k_task *t)
{
    return t != NULL && (t->flags & TASK_KERNEL) != 0;
}

bool kern_task_poll(struct kern_core *core)
{
    struct task_dispatcher *d = own(core);
    if (nothing_to_do(d) || d->run != NULL) {
        return false;
    }
    bool gives = gives_way(d, core);
    int n = 0;
    struct kern_tasks *e = task_lock();
    kern_task_expire(e, d);
    while (
        n < BATCH &&
        (is_kernels(d->ready) || (n == 0 && !gives) || !(calls_wait(core) || threads_wait(core))) &&
        kern_task_run_next(e, core)) {
        n++;
    }
    task_unlock(e);
    return n > 0;
}

static struct task_run *running(void)
{
    const struct kern_core *core = kern_core();
    return core->current != NULL ? core->current->run : own(core)->run;
}

struct k_task *kern_task_current(void)
{
    const struct task_run *run = running();
    return run != NULL ? run->task : NULL;
}

int kern_task_return(long value)
{
    struct task_run *run = running();
    if (run == NULL) {
        return -B_EPERM;
    }
    run->value = value;
    return 0;
}

int kern_task_pass(int index, long value)
{
    struct task_run *run = running();
    if (run == NULL) {
        return -B_EPERM;
    }
    if (index < 0 || index >= K_TASK_ARGS) {
        return -B_EINVAL;
    }
    run->arg[index] = value;
    run->passed |= 1u << index;
    return 0;
}
