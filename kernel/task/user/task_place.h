/* SPDX-License-Identifier: MIT */
/* What the task engine asks of where it runs: a program in user mode, all of whose threads of a
 * cluster share it. The kernel's header of this name says what each of these is for. What has one
 * more thread here, and why, is told in docs/riscv.md. */
#ifndef KERNEL_TASK_USER_PLACE_H
#define KERNEL_TASK_USER_PLACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <sys/k_bell.h>
#include <sys/k_info.h>
#include <sys/k_thread.h>
#include <sys/k_wait.h>

struct kern_tasks;
struct kern_wait;
struct task_run;

struct task_guard {
    struct k_wait word;
};
struct task_wait {
    struct k_wait queue;
};

/* Of the calling thread: the task that it runs, the core (once asked, else -1), and the core whose
 * Dispatcher it is, else -1. */
extern _Thread_local struct task_run *task_running_here;
extern _Thread_local int task_core_here, task_dispatcher_here;

/* The engine's memory, made by the first who calls it: 0 or an error. */
int task_make(void);

struct kern_tasks *task_engine(void);
int task_usual_core(void);
int task_core(void);
int task_open(int core);
void task_nudge(int core);
bool task_bell_mine(struct k_bell *b);
void task_bell_ring(struct k_bell *b);
int task_wait_sleep(struct task_wait *w, struct task_guard *g, uint64_t timeout);

/* Who has the guard keeps the core as well: another thread of it would look for the guard without
 * end. */
static inline void task_guard_take(struct task_guard *g)
{
    k_thread_hold();
    k_wait_lock(&g->word);
}

static inline void task_guard_give(struct task_guard *g)
{
    k_wait_unlock(&g->word);
    k_thread_release();
}

static inline uint32_t task_number(uint32_t *numbers)
{
    return __atomic_fetch_add(numbers, 1, __ATOMIC_RELAXED);
}

static inline void task_charge(int steps)
{
    (void)steps; /* real instructions are all that a step costs */
}

static inline uint64_t task_now(void)
{
    return k_time_cycles();
}

static inline uint64_t task_deadline(uint64_t cycles)
{
    uint64_t now = k_time_cycles();
    return cycles < UINT64_MAX - now ? now + cycles : UINT64_MAX;
}

static inline bool task_here(int core)
{
    return core == task_dispatcher_here;
}

static inline bool task_bell_owned(struct k_bell *b)
{
    return atomic_load_explicit(&b->thread, memory_order_acquire) != NULL;
}

static inline struct task_run **task_server(struct k_bell *b)
{
    return !task_running_here && task_bell_mine(b) ? &task_running_here : NULL;
}

static inline bool task_may_wait(void)
{
    return !task_running_here;
}

/* From here on the thread cannot be woken too early: a waker needs the word of its queue, which the
 * kernel opens when the thread stands in it. */
static inline void task_wait_start(struct task_wait *w, struct task_guard *g,
                                   void (*describe)(const struct kern_wait *w, char *text,
                                                    size_t size))
{
    (void)g, (void)describe; /* the kernel runs no function of the program's */
    k_wait_init(&w->queue, "task");
    k_thread_hold();
    k_wait_lock(&w->queue);
}

static inline void task_wait_wake(struct task_wait *w)
{
    k_wait_lock(&w->queue);
    k_wake(&w->queue, 1);
    k_wait_unlock(&w->queue);
}

#endif
