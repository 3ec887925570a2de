/* SPDX-License-Identifier: MIT */
/* Tasks: life, dispatch, signals from outside, and their fields. */
#include "engine.h"

enum { RELEASES = K_USER0 | K_USER1 | K_USER2 | K_THROW, KNOWN = 127 };

static bool fits_bell(const struct k_task_attr *attr)
{
    return !attr->bell || (attr->core == K_ANY && attr->period == 0 &&
                           attr->criterion != K_TO_PERIODIC && task_bell_owned(attr->bell));
}

static int check_attr(const struct k_task_attr *attr, int cores)
{
    bool core = attr->core == K_ANY || (attr->core >= 0 && attr->core < cores);
    bool period = attr->criterion != K_TO_PERIODIC || attr->period != 0;
    return attr->fn && core && period && (attr->releases & ~(unsigned)KNOWN) == 0 &&
                   (unsigned)attr->criterion <= K_TO_PERIODIC &&
                   (unsigned)attr->priority <= K_TASK_HIGH && fits_bell(attr)
               ? 0
               : -B_EINVAL;
}

int kern_task_create(struct k_task *t, const struct k_task_attr *attr)
{
    struct kern_tasks *e = task_engine();
    int error = check_attr(attr, e->cores), here = task_core();
    int home = attr->core == K_ANY ? task_usual_core() : attr->core;
    home = home == K_ANY ? here : home;
    if (error == 0)
        error = task_make();
    if (error == 0 && !attr->bell)
        error = task_open(home);
    if (error != 0)
        return error;
    unsigned flags = (unsigned)attr->criterion << TASK_CRITERION_SHIFT;
    t->id = task_number(&task_dispatcher(e, here)->ids) * HAL_CORES_MAX + (uint32_t)here;
    t->state = K_TASK_CREATED;
    t->flags = (uint8_t)(flags | (attr->priority == K_TASK_HIGH ? TASK_HIGH : 0));
    t->level = t->rank = 0;
    t->fn = attr->fn;
    for (int i = 0; i < K_TASK_ARGS; i++)
        t->arg[i] = 0;
    t->value = 0;
    t->bound = attr->bell != NULL;
    if (t->bound)
        t->bell = attr->bell;
    else
        t->period = attr->period;
    t->home = t->at = (uint8_t)home;
    t->releases = (uint8_t)(attr->releases != 0 ? attr->releases : RELEASES);
    t->pending = t->deps = t->unmet = 0;
    t->waiters = NULL;
    t->out = t->in = NULL;
    return 0;
}

int kern_task_unlink(struct k_task *t)
{
    struct kern_tasks *e = task_lock();
    int error = task_check(t, TASK_UNLINK);
    if (error == 0 && (t->out || t->in || t->waiters))
        error = -B_EBUSY;
    if (error == 0) {
        kern_task_take_out(e, t);
        t->state = K_TASK_INVALID;
    }
    task_unlock(e);
    return error;
}

static void set_arguments(struct k_task *t, const long *arg)
{
    for (int i = 0; arg && i < K_TASK_ARGS; i++)
        t->arg[i] = arg[i];
}

int kern_task_dispatch(struct k_task *t, const long *arg)
{
    struct kern_tasks *e = task_lock();
    int error = task_check(t, TASK_START);
    if (error == 0) {
        set_arguments(t, arg);
        t->flags &= (uint8_t)~TASK_DONE;
        kern_task_activate(e, t);
    }
    task_unlock(e);
    return error;
}

int kern_task_emit(struct k_task *t, int core, const long *arg)
{
    int error = core < 0 || core >= task_engine()->cores ? -B_EINVAL : task_open(core);
    struct kern_tasks *e = task_lock();
    error = error != 0 ? error : task_check(t, TASK_START);
    if (error == 0 && t->bound)
        error = -B_EINVAL;
    if (error == 0) {
        set_arguments(t, arg);
        t->flags &= (uint8_t)~TASK_DONE;
        t->at = (uint8_t)core;
        kern_task_put_ready(e, t, false);
    }
    task_unlock(e);
    return error;
}

void kern_task_promote(struct k_task *t)
{
    struct kern_tasks *e = task_lock();
    t->flags |= TASK_KERNEL;
    task_unlock(e);
}

static int release(struct k_task *t, int core)
{
    struct kern_tasks *e = task_lock();
    int error = task_check(t, TASK_OTHER);
    if (error == 0 && t->deps == 0) {
        t->home = core == K_ANY ? t->home : (uint8_t)core;
        kern_task_release(e, t);
    }
    task_unlock(e);
    return error;
}

int kern_task_signal(struct k_task *t)
{
    return release(t, K_ANY);
}

int kern_task_signal_own(struct k_task *t)
{
    bool own = task_check(t, TASK_OTHER) == 0 && t->bound && task_bell_mine(t->bell);
    return own ? release(t, K_ANY) : -B_EPERM;
}

int kern_task_signal_at(struct k_task *t, int core)
{
    return release(t, core);
}

int kern_task_resume(struct k_task *t)
{
    struct kern_tasks *e = task_lock();
    int error = task_check(t, TASK_RESUME);
    if (error == 0) {
        kern_task_take_out(e, t);
        kern_task_put_ready(e, t, false);
    }
    task_unlock(e);
    return error;
}

int kern_task_complete(struct k_task *t, int conclusion, long value)
{
    struct task_run run = {.task = t, .value = value};
    struct kern_tasks *e = task_lock();
    int error = task_check(t, TASK_COMPLETE);
    if (error == 0) {
        kern_task_take_out(e, t);
        t->state = K_TASK_RUNNING;
        kern_task_conclude(e, t, conclusion, &run);
    }
    task_unlock(e);
    return error;
}

int kern_task_error(struct k_task *t, int code)
{
    if (code >= 0)
        return -B_EINVAL;
    struct kern_tasks *e = task_lock();
    int error = task_check(t, TASK_OTHER);
    if (error == 0)
        kern_task_fail(e, t, code);
    task_unlock(e);
    return error;
}

static long arcs_in(const struct k_task *t)
{
    long n = 0;
    for (const struct k_arc *a = t->in; a; a = a->in_next)
        n++;
    return n;
}

static long arcs_out(const struct k_task *t)
{
    long n = 0;
    for (const struct k_arc *a = t->out; a; a = a->out_next)
        n++;
    return n;
}

static long read_field(const struct k_task *t, enum k_task_field field)
{
    switch (field) {
    case K_TASK_STATE:
        return t->state;
    case K_TASK_ID:
        return (long)t->id;
    case K_TASK_VALUE:
        return t->value;
    case K_TASK_PRIORITY:
        return (t->flags & TASK_HIGH) != 0 ? K_TASK_HIGH : K_TASK_LOW;
    case K_TASK_PERIOD:
        return t->bound ? 0 : (long)t->period;
    case K_TASK_PREDECESSORS:
        return arcs_in(t);
    case K_TASK_SUCCESSORS:
        return arcs_out(t);
    case K_TASK_DEPENDENCIES:
        return (long)t->deps;
    case K_TASK_PENDING:
        return (long)t->pending;
    default:
        return t->arg[field - K_TASK_ARG0];
    }
}

int kern_task_get(struct k_task *t, enum k_task_field field, long *value)
{
    if ((unsigned)field > K_TASK_PENDING)
        return -B_EINVAL;
    struct kern_tasks *e = task_lock();
    int error = field == K_TASK_STATE ? 0 : task_check(t, TASK_OTHER);
    if (error == 0)
        *value = read_field(t, field);
    task_unlock(e);
    return error;
}

static int write_field(struct k_task *t, enum k_task_field field, long value)
{
    if (field >= K_TASK_ARG0 && field < K_TASK_ARG0 + K_TASK_ARGS) {
        t->arg[field - K_TASK_ARG0] = value;
        return 0;
    }
    if (field == K_TASK_PRIORITY && (value == K_TASK_LOW || value == K_TASK_HIGH)) {
        t->flags = (uint8_t)((t->flags & ~TASK_HIGH) | (value == K_TASK_HIGH ? TASK_HIGH : 0));
        return 0;
    }
    bool waits_first = (t->flags & TASK_CRITERION) >> TASK_CRITERION_SHIFT == K_TO_PERIODIC;
    if (field == K_TASK_PERIOD && !t->bound && (value != 0 || !waits_first)) {
        t->period = (uint64_t)value;
        return 0;
    }
    return -B_EINVAL;
}

int kern_task_set(struct k_task *t, enum k_task_field field, long value)
{
    struct kern_tasks *e = task_lock();
    int error = task_check(t, TASK_OTHER);
    error = error != 0 ? error : write_field(t, field, value);
    task_unlock(e);
    return error;
}
