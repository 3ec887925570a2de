/* SPDX-License-Identifier: MIT */
/* The engine inside: one per cluster, one lock for its queues, states and graph, a Dispatcher per
 * core. Functions here want the lock held unless they say otherwise; docs/taskengine.md tells the
 * rules that they follow. */
#ifndef KERNEL_TASK_ENGINE_H
#define KERNEL_TASK_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <base/config.h>
#include <base/error.h>
#include <kernel/task.h>

#include "task_place.h"

enum task_flag {
    TASK_HIGH = 1,      /* priority */
    TASK_CRITERION = 6, /* enum k_task_criterion, shifted by TASK_CRITERION_SHIFT */
    TASK_DONE = 8,      /* a conclusion that releases waiters came and was not waited for */
    TASK_ABORT = 16,    /* failed while it ran: it will conclude with the error in `value` */
    TASK_FAILED = 32,   /* in the list of tasks that the error being propagated reached */
    TASK_THREW = 64,    /* its last conclusion was an error */
    TASK_KERNEL = 128   /* kern_task_promote */
};
enum { TASK_CRITERION_SHIFT = 1, TASK_RANK_MAX = 14 };

/* What a running task leaves for its conclusion; on the stack of who runs it. */
struct task_run {
    struct k_task *task;
    long value;
    long arg[K_TASK_ARGS]; /* what it was called with, and what it passes on */
    unsigned passed;       /* bit i: arg[i] goes to the successors */
};

struct task_dispatcher {
    /* Ready queue: by level, highest first; last[l] is the last of level l if bit l is set. */
    struct k_task *ready;
    struct k_task *last[KERN_TASK_LEVELS];
    uint32_t levels;
    uint32_t ids; /* created on this core: this core only, without the lock */

    struct k_task *delta; /* the first is due at base + its delta */
    uint64_t base;
    struct k_task *stopped;

    /* Written under the lock, read without it by a core that looks for work. */
    _Alignas(KERN_LINE) _Atomic uint32_t count; /* in the ready queue */
    uint32_t rounds; /* this core only: of polling since kernel calls began to wait without end */
    _Atomic uint64_t due; /* HAL_NEVER: the delta queue is empty */
    struct task_run *run; /* this core only: the task that it runs */
};

struct kern_tasks {
    struct task_guard guard;
    const struct kern_task_policy *policy;
    uint32_t ready; /* in all ready queues */
    int cores;
    _Atomic(struct task_dispatcher *) dispatcher; /* one per core; NULL: no task was created yet */
};

/* Of a core, where a task exists. */
static inline struct task_dispatcher *task_dispatcher(struct kern_tasks *e, int core)
{
    return &atomic_load_explicit(&e->dispatcher, memory_order_relaxed)[core];
}

static inline struct kern_tasks *task_lock(void)
{
    struct kern_tasks *e = task_engine();
    task_guard_take(&e->guard);
    return e;
}

static inline void task_unlock(struct kern_tasks *e)
{
    task_guard_give(&e->guard);
}

/* Which calls are legal in which states (souto-2022, figure 4): one row for each call. */
enum task_call {
    TASK_UNLINK,
    TASK_START, /* dispatch, emit; also the states of rest, in which an arc activates a task */
    TASK_RESUME,
    TASK_COMPLETE,
    TASK_OTHER /* legal while it exists */
};
#define TASK_IN(state) (1u << K_TASK_##state)
static const unsigned task_legal[] = {
    [TASK_UNLINK] = TASK_IN(CREATED) | TASK_IN(COMPLETED) | TASK_IN(ERROR) | TASK_IN(STOPPED) |
                    TASK_IN(PERIODIC),
    [TASK_START] = TASK_IN(CREATED) | TASK_IN(COMPLETED) | TASK_IN(ERROR),
    [TASK_RESUME] = TASK_IN(STOPPED),
    [TASK_COMPLETE] = TASK_IN(STOPPED) | TASK_IN(PERIODIC),
    [TASK_OTHER] = ~TASK_IN(INVALID),
};

static inline bool task_legal_now(const struct k_task *t, enum task_call call)
{
    return (task_legal[call] >> t->state & 1) != 0;
}

/* 0, -B_EBADF, or -B_EBUSY if `call` is not legal in the state of t. */
static inline int task_check(const struct k_task *t, enum task_call call)
{
    if (t->state == K_TASK_INVALID || t->state > K_TASK_ERROR)
        return -B_EBADF;
    return task_legal_now(t, call) ? 0 : -B_EBUSY;
}

/* True if t may be activated now. */
static inline bool task_at_rest(const struct k_task *t)
{
    return task_legal_now(t, TASK_START) && (t->flags & TASK_FAILED) == 0;
}

/* queue.c. put_ready: `again` = behind the others whatever the policy prefers. take_out: from the
 * queue that its state names. */
void kern_task_put_ready(struct kern_tasks *e, struct k_task *t, bool again);
void kern_task_put_delta(struct kern_tasks *e, struct k_task *t);
void kern_task_put_stopped(struct kern_tasks *e, struct k_task *t);
void kern_task_take_out(struct kern_tasks *e, struct k_task *t);
struct k_task *kern_task_take_ready(struct kern_tasks *e, struct task_dispatcher *d);
struct k_task *kern_task_take_bell(struct k_bell *b);
void kern_task_expire(struct kern_tasks *e, struct task_dispatcher *d);

/* policy.c: recomputes the rank of t and of whoever leads to it. */
extern const struct kern_task_policy kern_task_policies[];
void kern_task_rank(struct k_task *t);

/* release.c. activate: t, at rest, goes where its criterion says. release: activates it or counts
 * it. select: the arc fires; run tells the passed arguments (NULL none). settle: t came to rest.
 * forget: releases and dependencies that came so far do not count. */
void kern_task_activate(struct kern_tasks *e, struct k_task *t);
void kern_task_release(struct kern_tasks *e, struct k_task *t);
void kern_task_select(struct kern_tasks *e, struct k_arc *arc, const struct task_run *run);
void kern_task_settle(struct kern_tasks *e, struct k_task *t);
void kern_task_forget(struct k_task *t);

/* graph.c: takes the arc out of both its lists and out of the counts. */
void kern_task_cut(struct kern_tasks *e, struct k_arc *arc);

/* conclude.c: a task in state RUNNING concludes; a task in any state but RUNNING fails. */
void kern_task_conclude(struct kern_tasks *e, struct k_task *t, int conclusion,
                        const struct task_run *run);
void kern_task_fail(struct kern_tasks *e, struct k_task *t, int code);

/* wait.c: t concluded with `conclusion`: whoever waits for that goes on. */
void kern_task_notify(struct k_task *t, unsigned conclusion);

/* dispatcher.c: takes t, which left its queue, through its function and its conclusion. *at says
 * meanwhile that it runs. The lock is held before and after, and released while its function runs.
 */
void kern_task_take_through(struct kern_tasks *e, struct k_task *t, struct task_run **at);

/* Of where the engine runs (poll.c, user/place.c). own: a thread that is to wait lets the first
 * ready task of its core run; false: it does not, or there is none. running: the task that the
 * caller runs, NULL if it runs none. */
bool kern_task_run_own(struct kern_tasks *e);
struct task_run *kern_task_running(void);

#endif
