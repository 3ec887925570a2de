/* SPDX-License-Identifier: MIT */
/* Conclusions: what becomes of a task when its function has returned, and of those that its arcs
 * lead to. */
#include "engine.h"

enum {
    REGULAR = K_USER0 | K_USER1 | K_USER2,
    RESCHEDULING = K_AGAIN | K_STOP | K_PERIODIC,
    ERRORS = K_THROW | K_CATCH
};

/* The price of looking at an arc. */
static void charge_arc(void)
{
    task_charge(1);
}

/* One of the bits, or none. */
static bool at_most_one(unsigned bits)
{
    return (bits & (bits - 1)) == 0;
}

static bool makes_sense(int conclusion)
{
    return (conclusion & ~(REGULAR | RESCHEDULING)) == 0 &&
           at_most_one((unsigned)conclusion & RESCHEDULING);
}

/* Selects the arcs of t that ask for any of `conditions`, in the order in which they were
 * connected. Selecting cuts temporary arcs, but no other arc of t. */
static void select_arcs(struct kern_tasks *e, struct k_task *t, unsigned conditions,
                        const struct task_run *run)
{
    struct k_arc *next;
    for (struct k_arc *a = t->out; a; a = next) {
        next = a->out_next;
        charge_arc();
        if ((a->conditions & conditions) != 0)
            kern_task_select(e, a, run);
    }
}

/* t concluded regularly: its own next state, after those of its successors. */
static void move_on(struct kern_tasks *e, struct k_task *t, unsigned conclusion)
{
    if ((conclusion & K_AGAIN) != 0) {
        kern_task_put_ready(e, t, true);
        return;
    }
    t->at = t->home;
    if ((conclusion & K_STOP) != 0) {
        kern_task_put_stopped(e, t);
    } else if ((conclusion & K_PERIODIC) != 0 && !t->bound && t->period != 0) {
        kern_task_put_delta(e, t);
    } else if ((conclusion & K_PERIODIC) != 0) {
        kern_task_put_ready(e, t, true);
    } else {
        t->state = K_TASK_COMPLETED;
        kern_task_settle(e, t);
    }
}

void kern_task_conclude(struct kern_tasks *e, struct k_task *t, int conclusion,
                        const struct task_run *run)
{
    int error = conclusion < 0 ? conclusion : makes_sense(conclusion) ? 0 : -B_EINVAL;
    if ((t->flags & TASK_ABORT) != 0) {
        t->flags &= (uint8_t)~TASK_ABORT;
        error = (int)t->value;
    }
    if (error != 0) {
        t->state = K_TASK_COMPLETED; /* in no queue */
        t->at = t->home;
        kern_task_fail(e, t, error);
        return;
    }
    unsigned selected = conclusion != 0 ? (unsigned)conclusion : K_USER0;
    t->value = run->value;
    select_arcs(e, t, selected, run);
    kern_task_notify(t, selected);
    move_on(e, t, selected);
}

/* Tasks that an error reached, in the order in which it did. They are in no other queue, so their
 * links are free. */
struct failed {
    struct k_task *first, *last;
};

static void reach(struct kern_tasks *e, struct failed *list, struct k_task *t, int code)
{
    if ((t->flags & TASK_FAILED) != 0)
        return;
    t->value = code;
    if (t->state == K_TASK_RUNNING) {
        t->flags |= TASK_ABORT; /* it fails, and throws on, when its function returns */
        return;
    }
    kern_task_take_out(e, t);
    kern_task_forget(t);
    t->state = K_TASK_ERROR;
    t->flags |= TASK_FAILED;
    t->next = NULL;
    *(list->first ? &list->last->next : &list->first) = t;
    list->last = t;
}

/* Follows the arcs that throw, to the end; each task is reached once, so cycles end it. */
static void throw_on(struct kern_tasks *e, struct failed *list, int code)
{
    for (struct k_task *t = list->first; t; t = t->next) {
        struct k_arc *next;
        for (struct k_arc *a = t->out; a; a = next) {
            struct k_task *to = a->to;
            next = a->out_next;
            charge_arc();
            if ((a->conditions & K_THROW) == 0)
                continue;
            if ((a->kind & K_TEMPORARY) != 0)
                kern_task_cut(e, a);
            reach(e, list, to, code);
        }
    }
}

/* Selects the arcs of t that catch. Their successors can find the error in their value. */
static void catch_at(struct kern_tasks *e, struct k_task *t, int code)
{
    struct k_arc *next;
    for (struct k_arc *a = t->out; a; a = next) {
        next = a->out_next;
        if ((a->conditions & K_CATCH) == 0)
            continue;
        if (a->to->state != K_TASK_RUNNING)
            a->to->value = code;
        kern_task_select(e, a, NULL);
    }
}

/* All throws take effect before the first catch, so the outcome does not depend on the order of
 * arcs: a task that the error reaches both ways fails, and is then released. */
void kern_task_fail(struct kern_tasks *e, struct k_task *t, int code)
{
    struct failed list = {NULL, NULL};
    reach(e, &list, t, code);
    throw_on(e, &list, code);
    while ((t = list.first)) {
        list.first = t->next;
        t->flags &= (uint8_t)~TASK_FAILED;
        kern_task_notify(t, K_THROW);
        catch_at(e, t, code);
        if (task_at_rest(t))
            kern_task_settle(e, t);
    }
}
