/* SPDX-License-Identifier: MIT */
/* Threads that wait for tasks. A waiter lies on its thread's stack, in the list of the task; the
 * conclusion takes all of them out and gives each its answer, so that nothing of the task is
 * touched for a thread that was woken: another may have unlinked it by then. */
#include "engine.h"

#include <base/fmt.h>

/* Tasks that a thread runs on its own core before it gives it up: most often its own is among
 * them, and then no context is switched. */
enum { TURNS = 16 };

struct k_task_waiter {
    struct task_wait queue; /* this thread */
    struct k_task_waiter *next;
    uint32_t id; /* of the task, for reports */
    bool released;
    int error;
    long value;
};

static void describe(const struct kern_wait *queue, char *text, size_t size)
{
    const struct k_task_waiter *w = (const void *)queue; /* its first member */
    b_fmt(text, size, "task %u", (unsigned)w->id);
}

static void answer(const struct k_task *t, struct k_task_waiter *w)
{
    w->released = true;
    w->value = t->value;
    w->error = (t->flags & TASK_THREW) != 0 ? (int)t->value : 0;
}

void kern_task_notify(struct k_task *t, unsigned conclusion)
{
    t->flags &= (uint8_t)~TASK_THREW;
    t->flags |= (conclusion & K_THROW) != 0 ? TASK_THREW : 0;
    if ((t->releases & conclusion) == 0)
        return;
    struct k_task_waiter *next, *w = t->waiters;
    if (!w)
        t->flags |= TASK_DONE;
    t->waiters = NULL;
    for (; w; w = next) {
        next = w->next; /* once woken it may be gone */
        answer(t, w);
        task_wait_wake(&w->queue);
    }
}

/* Takes the answer that is there already. */
static bool take(struct k_task *t, struct k_task_waiter *w)
{
    if ((t->flags & TASK_DONE) == 0)
        return false;
    t->flags &= (uint8_t)~TASK_DONE;
    answer(t, w);
    return true;
}

static int give(const struct k_task_waiter *w, long *value)
{
    if (value)
        *value = w->value;
    return w->error;
}

int kern_task_trywait(struct k_task *t, long *value)
{
    struct k_task_waiter w = {.released = false};
    struct kern_tasks *e = task_lock();
    int error = task_check(t, TASK_OTHER);
    if (error == 0 && !take(t, &w))
        error = -B_EAGAIN;
    task_unlock(e);
    return error != 0 ? error : give(&w, value);
}

static void leave(struct k_task *t, struct k_task_waiter *w)
{
    struct k_task_waiter **place = &t->waiters;
    while (*place != w)
        place = &(*place)->next;
    *place = w->next;
}

/* With the lock held, which it releases: waits for the conclusion of t. */
static void queue_up(struct kern_tasks *e, struct k_task *t, uint64_t timeout,
                     struct k_task_waiter *w)
{
    task_wait_start(&w->queue, &e->guard, describe);
    w->id = t->id;
    w->next = t->waiters;
    t->waiters = w;
    if (task_wait_sleep(&w->queue, &e->guard, timeout) == 0)
        return;
    task_lock();
    if (!w->released)
        leave(t, w);
    task_unlock(e);
}

int kern_task_wait(struct k_task *t, uint64_t timeout, long *value)
{
    struct k_task_waiter w;
    w.released = false;
    if (!task_may_wait())
        return -B_EPERM;
    struct kern_tasks *e = task_lock();
    int error = task_check(t, TASK_OTHER);
    if (error != 0) {
        task_unlock(e);
        return error;
    }
    bool done = take(t, &w);
    for (int i = 0; !done && i < TURNS && kern_task_run_own(e); i++)
        done = take(t, &w);
    if (done || timeout == 0)
        task_unlock(e);
    else
        queue_up(e, t, timeout, &w);
    return w.released ? give(&w, value) : -B_ETIMEDOUT;
}
