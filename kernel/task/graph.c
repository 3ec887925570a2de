/* SPDX-License-Identifier: MIT */
/* The graph: arcs in the lists of both their ends, in the order in which they were connected. A
 * list ends with NULL forwards; the first arc's back link is the last arc, so appending takes
 * constant time, and so does cutting. */
#include "engine.h"

static void out_append(struct k_task *t, struct k_arc *a)
{
    a->out_next = NULL;
    if (!t->out) {
        t->out = a->out_prev = a;
        return;
    }
    a->out_prev = t->out->out_prev;
    a->out_prev->out_next = a;
    t->out->out_prev = a;
}

static void in_append(struct k_task *t, struct k_arc *a)
{
    a->in_next = NULL;
    if (!t->in) {
        t->in = a->in_prev = a;
        return;
    }
    a->in_prev = t->in->in_prev;
    a->in_prev->in_next = a;
    t->in->in_prev = a;
}

static void out_remove(struct k_task *t, struct k_arc *a)
{
    if (a->out_next)
        a->out_next->out_prev = a->out_prev;
    else
        t->out->out_prev = a->out_prev;
    *(t->out == a ? &t->out : &a->out_prev->out_next) = a->out_next;
}

static void in_remove(struct k_task *t, struct k_arc *a)
{
    if (a->in_next)
        a->in_next->in_prev = a->in_prev;
    else
        t->in->in_prev = a->in_prev;
    *(t->in == a ? &t->in : &a->in_prev->in_next) = a->in_next;
}

static bool known(unsigned kind, unsigned conditions)
{
    const unsigned error = K_THROW | K_CATCH;
    return kind <= (K_DEPENDENCY | K_TEMPORARY) && conditions != 0 && conditions <= 255 &&
           (conditions & error) != error;
}

int kern_task_connect(struct k_arc *arc, struct k_task *from, struct k_task *to, unsigned kind,
                      unsigned conditions)
{
    if (!known(kind, conditions))
        return -B_EINVAL;
    struct kern_tasks *e = task_lock();
    int error = arc->to ? -B_EBUSY : task_check(from, TASK_OTHER);
    error = error != 0 ? error : task_check(to, TASK_OTHER);
    if (error == 0) {
        *arc = (struct k_arc){
            .from = from, .to = to, .kind = (uint8_t)kind, .conditions = (uint8_t)conditions};
        out_append(from, arc);
        in_append(to, arc);
        if ((kind & K_DEPENDENCY) != 0) {
            to->deps++;
            to->unmet++;
        }
        if (e->policy->ranks)
            kern_task_rank(from);
    }
    task_unlock(e);
    return error;
}

void kern_task_cut(struct kern_tasks *e, struct k_arc *arc)
{
    struct k_task *from = arc->from, *to = arc->to;
    out_remove(from, arc);
    in_remove(to, arc);
    if ((arc->kind & K_DEPENDENCY) != 0) {
        to->deps--;
        to->unmet -= arc->tokens == 0;
    }
    arc->from = arc->to = NULL;
    if (e->policy->ranks)
        kern_task_rank(from);
}

int kern_task_disconnect(struct k_arc *arc)
{
    struct kern_tasks *e = task_lock();
    struct k_task *to = arc->to;
    if (to) {
        kern_task_cut(e, arc);
        if (task_at_rest(to))
            kern_task_settle(e, to); /* if this was the last one that was not met */
    }
    task_unlock(e);
    return to ? 0 : -B_ENOENT;
}
