/* SPDX-License-Identifier: MIT */
/* The task engine of a program in user mode: its memory, and its Dispatchers, each a thread of the
 * core that it is of, begun when a task first needs it. It waits by a bell for tasks that become
 * ready, no longer than until the first period is over. */
#include "../engine.h"

#include <base/mem.h>
#include <hal/clock.h>

/* What is made once, by whoever needs it first. */
enum made { NO, UNDER_WAY, YES };

struct thread_of_dispatcher {
    struct k_bell bell;
    atomic_int made;
};

_Thread_local struct task_run *task_running_here;
_Thread_local int task_core_here = -1, task_dispatcher_here = -1;
static _Thread_local const void *self; /* as a bell names its owner; NULL: not known yet */

static struct kern_tasks engine = {.guard.word.what = "tasks", .policy = &kern_task_policies[0]};
static atomic_int engine_made;
static struct thread_of_dispatcher *threads; /* one for each Dispatcher */
static int usual_core;

/* Whether the caller is to make it; meanwhile others wait. */
static bool is_first(atomic_int *m)
{
    int was = atomic_load_explicit(m, memory_order_acquire);
    for (long tries = 0; was != YES; tries++) {
        was = NO;
        if (atomic_compare_exchange_strong(m, &was, UNDER_WAY))
            return true;
        k_relax(tries);
    }
    return false;
}

static int make(void)
{
    struct k_info info;
    void *at;
    k_info(&info);
    size_t cores = (size_t)info.cores, n = cores * (sizeof *engine.dispatcher + sizeof *threads);
    int error = k_page_alloc(n, &at);
    if (error != 0)
        return error;
    memset(at, 0, n);
    engine.dispatcher = at;
    engine.cores = info.cores;
    threads = (void *)(engine.dispatcher + cores);
    usual_core = info.user_core == 0 ? K_ANY : 0;
    for (size_t i = 0; i < cores; i++)
        atomic_store_explicit(&engine.dispatcher[i].due, HAL_NEVER, memory_order_relaxed);
    return 0;
}

int task_make(void)
{
    if (!is_first(&engine_made))
        return 0;
    int error = make();
    atomic_store(&engine_made, error == 0 ? YES : NO);
    return error;
}

struct kern_tasks *task_engine(void)
{
    return &engine;
}

int task_usual_core(void)
{
    return usual_core;
}

int task_core(void)
{
    if (task_core_here < 0) {
        struct k_info info;
        k_info(&info);
        task_core_here = info.core;
    }
    return task_core_here;
}

/* When the next period of the core's is over: from now, K_FOREVER if there is none. */
static uint64_t until_due(const struct task_dispatcher *d)
{
    uint64_t due = atomic_load_explicit(&d->due, memory_order_relaxed), now = task_now();
    return due == HAL_NEVER ? K_FOREVER : due > now ? due - now : 0;
}

/* Who puts a task into its queues rings afterwards, and a ring before the bell was made is of a
 * task that the first look finds. */
static void dispatch(void *arg)
{
    int core = task_dispatcher_here = (int)(long)arg;
    struct task_dispatcher *d = &engine.dispatcher[core];
    struct k_bell *b = &threads[core].bell;
    k_bell_init(b, "tasks");
    for (;;) {
        struct kern_tasks *e = task_lock();
        kern_task_expire(e, d);
        for (struct k_task *t; (t = kern_task_take_ready(e, d));) {
            kern_task_take_through(e, t, &task_running_here);
            kern_task_expire(e, d);
        }
        task_unlock(e);
        k_bell_wait(b, until_due(d));
        k_bell_take(b);
    }
}

int task_open(int core)
{
    atomic_int *m = &threads[core].made;
    if (!is_first(m))
        return 0;
    struct k_thread_attr attr = {dispatch, (void *)(long)core, "dispatcher", core, 0};
    int id = k_thread_create(&attr);
    atomic_store(m, id >= 0 ? YES : NO);
    return id >= 0 ? 0 : id;
}

void task_nudge(int core)
{
    k_bell_ring(&threads[core].bell, K_BELL_FIRST);
}

/* The kernel alone knows its threads; asked once, it tells by a bell that is the caller's. */
bool task_bell_mine(struct k_bell *b)
{
    const void *owner = atomic_load_explicit(&b->thread, memory_order_relaxed);
    if (!self && owner && k_bell_wait(b, 0) != -B_EPERM)
        self = owner;
    return self && owner == self;
}

/* What is rung on other threads stands in `far`; `rung` is the owner's alone. */
void task_bell_ring(struct k_bell *b)
{
    if (task_bell_mine(b))
        b->rung |= K_BELL_TASK;
    else
        k_bell_ring(b, K_BELL_TASK);
}

/* A waker is done with the queue, which lies on this stack, when it has given the guard back. */
int task_wait_sleep(struct task_wait *w, struct task_guard *g, uint64_t timeout)
{
    task_guard_give(g);
    int error = k_wait_on(&w->queue, timeout);
    k_thread_release();
    task_guard_take(g);
    task_guard_give(g);
    return error;
}

/* A Dispatcher's tasks take turns with nothing, so only its own thread runs them. */
bool kern_task_run_own(struct kern_tasks *e)
{
    (void)e;
    return false;
}

struct task_run *kern_task_running(void)
{
    return task_running_here;
}
