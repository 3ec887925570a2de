/* SPDX-License-Identifier: MIT */
/* The Dispatchers of the kernel: the part of a core's polling that runs tasks, on the stack of the
 * context that polls. A Dispatcher has no thread: it shares core 0 of an asymmetric cluster with
 * the server of kernel calls, and sleeps when the core sleeps. */
#include "engine.h"

enum { BATCH = 16, GIVES_WAY = 4 };

static size_t bytes(int cores)
{
    return (size_t)cores * sizeof(struct task_dispatcher);
}

/* All of them at once: whoever finds one finds it complete. */
static bool publish(struct kern_tasks *e, struct task_dispatcher *d)
{
    struct task_dispatcher *none = NULL;
    for (int i = 0; i < e->cores; i++)
        atomic_store_explicit(&d[i].due, HAL_NEVER, memory_order_relaxed);
    return atomic_compare_exchange_strong(&e->dispatcher, &none, d);
}

struct kern_tasks *kern_tasks_build(struct kern_arena *a, const struct hal_machine *m, int cores)
{
    bool at_once = m->variant != HAL_BASELINE;
    struct kern_tasks *e = kern_arena_take(a, sizeof *e);
    struct task_dispatcher *d = kern_arena_take(a, at_once ? bytes(cores) : 0);
    if (e && a->used <= a->size) {
        e->cores = cores;
        e->policy = &kern_task_policies[0];
        hal_lock_init(&e->guard.lock, "tasks");
        if (at_once)
            publish(e, d);
    }
    return e;
}

int kern_tasks_make(void)
{
    struct cluster *c = kern_cluster();
    struct kern_tasks *e = c->tasks;
    void *at;
    if (atomic_load(&e->dispatcher))
        return 0;
    int error = kern_page_alloc(c, bytes(c->cores), true, &at);
    if (error == 0 && !publish(e, at))
        kern_page_free(c, at, bytes(c->cores)); /* another core was faster */
    return error;
}

/* NULL: there are none yet. A core that looks before it sleeps misses none: whoever makes a task
 * ready has seen them, and looks afterwards whether the core sleeps (queue.c). */
static struct task_dispatcher *own(const struct kern_core *core)
{
    struct task_dispatcher *d = atomic_load(&core->cluster->tasks->dispatcher);
    return d ? &d[core->id] : NULL;
}

/* No thread runs meanwhile: what would wait must see that. */
static bool run_next(struct kern_tasks *e, struct kern_core *core, struct task_dispatcher *d)
{
    struct k_task *t = kern_task_take_ready(e, d);
    if (!t)
        return false;
    struct kern_thread *thread = core->current;
    kern_current_set(core, NULL);
    kern_task_take_through(e, t, &d->run);
    kern_current_set(core, thread);
    return true;
}

bool kern_task_run_own(struct kern_tasks *e)
{
    struct kern_core *core = kern_core();
    struct task_dispatcher *d = own(core);
    return d && run_next(e, core, d);
}

bool kern_task_waiting(struct kern_core *core)
{
    struct task_dispatcher *d = own(core);
    return d && atomic_load(&d->count) != 0;
}

uint64_t kern_task_due(struct kern_core *core)
{
    struct task_dispatcher *d = own(core);
    return d ? atomic_load(&d->due) : HAL_NEVER;
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
    return core->ready || atomic_load_explicit(&core->inbox, memory_order_relaxed);
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
    return t && (t->flags & TASK_KERNEL) != 0;
}

bool kern_task_poll(struct kern_core *core)
{
    struct task_dispatcher *d = own(core);
    if (!d || nothing_to_do(d) || d->run)
        return false;
    bool gives = gives_way(d, core);
    int n = 0;
    struct kern_tasks *e = task_lock();
    kern_task_expire(e, d);
    while (
        n < BATCH &&
        (is_kernels(d->ready) || (n == 0 && !gives) || !(calls_wait(core) || threads_wait(core))) &&
        run_next(e, core, d))
        n++;
    task_unlock(e);
    return n > 0;
}

struct task_run *kern_task_running(void)
{
    const struct kern_core *core = kern_core();
    const struct task_dispatcher *d = own(core);
    return core->current ? core->current->run : d ? d->run : NULL;
}
