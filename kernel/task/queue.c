/* SPDX-License-Identifier: MIT */
/* The queues of a Dispatcher: ready, delta, stopped. Entering and leaving the ready and the stopped
 * queue takes constant time. Whoever puts work where another core looks for it wakes that core. */
#include "engine.h"

#include <hal/clock.h>
#include <sys/k_bell.h>

static struct task_dispatcher *at(struct kern_tasks *e, const struct k_task *t)
{
    return task_dispatcher(e, t->at);
}

/* Links t behind `before`, or first. */
static void link_after(struct k_task **first, struct k_task *before, struct k_task *t)
{
    struct k_task **place = before ? &before->next : first;
    t->next = *place;
    t->order.prev = before;
    if (t->next)
        t->next->order.prev = t;
    *place = t;
}

static void unlink(struct k_task **first, struct k_task *t)
{
    *(t->order.prev ? &t->order.prev->next : first) = t->next;
    if (t->next)
        t->next->order.prev = t->order.prev;
}

/* The count of the ready queue changes, which only its own core reads without the lock. */
static void count(struct kern_tasks *e, struct task_dispatcher *d, int change)
{
    uint32_t n = atomic_load_explicit(&d->count, memory_order_relaxed) + (uint32_t)change;
    e->ready += (uint32_t)change;
    atomic_store_explicit(&d->count, n, memory_order_relaxed);
}

/* Work came to the Dispatcher of another core. That one may be on its way to sleep: it says so and
 * then looks at the count, we write the count and then look whether it says so, both sequentially
 * consistent (task_nudge). */
static void call_core(struct task_dispatcher *d, int core)
{
    atomic_store(&d->count, atomic_load_explicit(&d->count, memory_order_relaxed));
    task_nudge(core);
}

/* The last of the lowest level among `levels`, NULL if there is none. */
static struct k_task *last_of(const struct task_dispatcher *d, uint32_t levels)
{
    return levels != 0 ? d->last[__builtin_ctz(levels)] : NULL;
}

/* To the tasks of its bell. They are not counted as the Dispatcher's: its core may sleep over them,
 * and is woken with the bell's owner. */
static void put_bell(struct k_task *t)
{
    struct k_bell *b = t->bell;
    t->state = K_TASK_READY;
    t->next = NULL;
    t->order.prev = b->tasks_last;
    if (b->tasks_last)
        b->tasks_last->next = t;
    else
        atomic_store_explicit(&b->tasks, t, memory_order_relaxed);
    b->tasks_last = t;
    task_bell_ring(b);
}

static void leave_bell(struct k_task *t)
{
    struct k_bell *b = t->bell;
    if (t->order.prev)
        t->order.prev->next = t->next;
    else
        atomic_store_explicit(&b->tasks, t->next, memory_order_relaxed);
    if (t->next)
        t->next->order.prev = t->order.prev;
    else
        b->tasks_last = t->order.prev;
}

struct k_task *kern_task_take_bell(struct k_bell *b)
{
    struct k_task *t = atomic_load_explicit(&b->tasks, memory_order_relaxed);
    if (t)
        leave_bell(t);
    return t;
}

void kern_task_put_ready(struct kern_tasks *e, struct k_task *t, bool again)
{
    if (t->bound) {
        put_bell(t);
        return;
    }
    struct task_dispatcher *d = at(e, t);
    unsigned place = e->policy->place(t), level = place & (KERN_TASK_FRONT - 1);
    bool front = !again && (place & KERN_TASK_FRONT) != 0;
    uint32_t bit = 1u << level, above = d->levels & ~(bit | (bit - 1));
    t->state = K_TASK_READY;
    t->level = (uint8_t)level;
    if (!d->ready) {
        t->next = t->order.prev = NULL;
        d->ready = t;
    } else {
        link_after(&d->ready, last_of(d, front ? above : above | (d->levels & bit)), t);
    }
    if (!front || (d->levels & bit) == 0)
        d->last[level] = t;
    d->levels |= bit;
    count(e, d, 1);
    if (!task_here(t->at))
        call_core(d, t->at);
}

static void leave_ready(struct kern_tasks *e, struct k_task *t)
{
    if (t->bound) {
        leave_bell(t);
        return;
    }
    struct task_dispatcher *d = at(e, t);
    if (d->last[t->level] == t) {
        struct k_task *before = t->order.prev;
        if (before && before->level == t->level)
            d->last[t->level] = before;
        else
            d->levels &= ~(1u << t->level);
    }
    unlink(&d->ready, t);
    count(e, d, -1);
}

/* The first one is the last of its level only if the next one is of another, or there is none. */
struct k_task *kern_task_take_ready(struct kern_tasks *e, struct task_dispatcher *d)
{
    struct k_task *t = d->ready;
    if (!t)
        return NULL;
    d->ready = t->next;
    if (t->next)
        t->next->order.prev = NULL;
    if (d->last[t->level] == t)
        d->levels &= ~(1u << t->level);
    count(e, d, -1);
    return t;
}

void kern_task_put_stopped(struct kern_tasks *e, struct k_task *t)
{
    t->state = K_TASK_STOPPED;
    link_after(&at(e, t)->stopped, NULL, t);
}

static void leave_stopped(struct kern_tasks *e, struct k_task *t)
{
    unlink(&at(e, t)->stopped, t);
}

/* The first of the delta queue changed. Its core must not sleep past the new instant. */
static void set_due(struct task_dispatcher *d, int core)
{
    atomic_store(&d->due, d->delta ? d->base + d->delta->order.delta : HAL_NEVER);
    if (!task_here(core))
        task_nudge(core);
}

/* Each entry keeps the distance to the one before it, so the sum up to an entry is its instant, and
 * entering changes only the next one. Equal instants keep the order of arrival. */
void kern_task_put_delta(struct kern_tasks *e, struct k_task *t)
{
    struct task_dispatcher *d = at(e, t);
    uint64_t when = task_deadline(t->period);
    if (!d->delta)
        d->base = task_now();
    when = when < d->base ? d->base : when; /* clocks of two cores may differ a little */
    struct k_task **place = &d->delta;
    uint64_t before = d->base;
    while (*place && when - before >= (*place)->order.delta) {
        before += (*place)->order.delta;
        place = &(*place)->next;
    }
    t->state = K_TASK_PERIODIC;
    t->next = *place;
    t->order.delta = when - before;
    if (t->next)
        t->next->order.delta -= t->order.delta;
    *place = t;
    if (place == &d->delta)
        set_due(d, t->at);
}

static void leave_delta(struct kern_tasks *e, struct k_task *t)
{
    struct task_dispatcher *d = at(e, t);
    struct k_task **place = &d->delta;
    while (*place != t)
        place = &(*place)->next;
    *place = t->next;
    if (t->next)
        t->next->order.delta += t->order.delta;
    set_due(d, t->at);
}

void kern_task_expire(struct kern_tasks *e, struct task_dispatcher *d)
{
    uint64_t now = task_now();
    while (d->delta && now >= d->base && now - d->base >= d->delta->order.delta) {
        struct k_task *t = d->delta;
        d->base += t->order.delta;
        d->delta = t->next;
        set_due(d, t->at);
        kern_task_put_ready(e, t, false);
    }
}

void kern_task_take_out(struct kern_tasks *e, struct k_task *t)
{
    static void (*const leave[])(struct kern_tasks * e, struct k_task * t) = {
        [K_TASK_READY] = leave_ready,
        [K_TASK_STOPPED] = leave_stopped,
        [K_TASK_PERIODIC] = leave_delta,
        [K_TASK_ERROR] = NULL,
    };
    if (leave[t->state])
        leave[t->state](e, t);
}
