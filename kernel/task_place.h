/* SPDX-License-Identifier: MIT */
/* What the task engine (kernel/task) asks of where it runs: this is the kernel. A program in user
 * mode has the same engine as a library, with a header of this name of its own (kernel/task/user).
 */
#ifndef KERNEL_TASK_PLACE_H
#define KERNEL_TASK_PLACE_H

#include <hal/clock.h>
#include <hal/work.h>
#include <kernel/cluster.h>
#include <kernel/wait.h>
#include <sys/k_bell.h>

#include "thread/sched.h"

struct task_run;

/* What guards an engine, and a thread that waits, guarded by it. */
struct task_guard {
    struct hal_lock lock;
};
struct task_wait {
    struct kern_wait queue;
};

static inline void task_guard_take(struct task_guard *g)
{
    hal_lock(&g->lock);
}

static inline void task_guard_give(struct task_guard *g)
{
    hal_unlock(&g->lock);
}

/* The Dispatchers of the calling cluster's engine, made by the first who asks: 0 or an error. No
 * lock of the kernel is held. */
int kern_tasks_make(void);
static inline int task_make(void)
{
    return kern_tasks_make();
}

/* The engine of the calling cluster. */
static inline struct kern_tasks *task_engine(void)
{
    return kern_cluster()->tasks;
}

static inline int task_core(void)
{
    return kern_core()->id;
}

/* The core whose Dispatcher runs what says nothing else; K_ANY: the calling one. */
static inline int task_usual_core(void)
{
    return kern_cluster()->asymmetric ? 0 : K_ANY;
}

/* The next of a core's numbers, which that core alone takes. */
static inline uint32_t task_number(uint32_t *numbers)
{
    return (*numbers)++;
}

/* The Dispatcher of that core can run tasks; or an error. */
static inline int task_open(int core)
{
    (void)core;
    return 0;
}

/* The price of so many steps through queues and graph. */
static inline void task_charge(int steps)
{
    hal_work((uint64_t)steps * kern_cluster()->machine->cost.match);
}

static inline uint64_t task_now(void)
{
    return hal_clock_cycles();
}

static inline uint64_t task_deadline(uint64_t cycles)
{
    return kern_deadline(cycles);
}

/* Whether the caller's core looks at its Dispatcher by itself, before it sleeps; else nudge wakes
 * it. */
static inline bool task_here(int core)
{
    return core == hal_core();
}

static inline void task_nudge(int core)
{
    kern_nudge(&kern_cluster()->core[core]);
}

/* A bell's owner: there is one; it is the caller; it has tasks to run. */
static inline bool task_bell_owned(struct k_bell *b)
{
    return kern_bell_owner(b) != NULL;
}

static inline bool task_bell_mine(struct k_bell *b)
{
    const struct kern_thread *me = kern_current();
    return me && kern_bell_owner(b) == me;
}

static inline void task_bell_ring(struct k_bell *b)
{
    kern_bell_ring(b, K_BELL_TASK);
}

/* Where the owner of a bell notes which task it runs; NULL: the caller is not the owner, or runs
 * one already. */
static inline struct task_run **task_server(struct k_bell *b)
{
    struct kern_thread *t = task_bell_mine(b) ? kern_current() : NULL;
    return t && !t->run ? &t->run : NULL;
}

/* Whether the caller is a thread and runs no task. */
static inline bool task_may_wait(void)
{
    const struct kern_thread *t = kern_current();
    return t && !t->run;
}

/* A thread waits, between start and sleep with the guard held; sleep gives it back, and answers 0
 * or -B_ETIMEDOUT. wake: with the guard held. */
static inline void task_wait_start(struct task_wait *w, struct task_guard *g,
                                   void (*describe)(const struct kern_wait *w, char *text,
                                                    size_t size))
{
    kern_wait_init(&w->queue, &g->lock, "task");
    w->queue.describe = describe;
}

static inline int task_wait_sleep(struct task_wait *w, struct task_guard *g, uint64_t timeout)
{
    (void)g;
    return kern_wait_on(&w->queue, timeout);
}

static inline void task_wait_wake(struct task_wait *w)
{
    kern_wake(&w->queue, 1);
}

#endif
