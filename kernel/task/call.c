/* SPDX-License-Identifier: MIT */
/* The kernel calls of the task engine: what a program gives is checked, then the engine does it. */
#include <base/error.h>
#include <kernel/call.h>
#include <kernel/task.h>
#include <sys/k_bell.h>

static bool is_task(long a)
{
    return a != 0 && (unsigned long)a % _Alignof(struct k_task) == 0;
}

static bool is_words(long a)
{
    return a != 0 && (unsigned long)a % _Alignof(long) == 0;
}

static bool are_words(long a)
{
    return a == 0 || is_words(a);
}

long kern_sys_task_create(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    if (!is_task(a0) || !is_words(a1))
        return -B_EFAULT;
    return kern_task_create((struct k_task *)a0, (const struct k_task_attr *)a1);
}

long kern_sys_task_unlink(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    return is_task(a0) ? kern_task_unlink((struct k_task *)a0) : -B_EFAULT;
}

/* (arc, from, to, kind, conditions) */
long kern_sys_task_connect(long a0, long a1, long a2, long a3, long a4)
{
    if (!is_words(a0) || !is_task(a1) || !is_task(a2))
        return -B_EFAULT;
    return kern_task_connect((struct k_arc *)a0, (struct k_task *)a1, (struct k_task *)a2,
                             (unsigned)a3, (unsigned)a4);
}

long kern_sys_task_disconnect(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    return is_words(a0) ? kern_task_disconnect((struct k_arc *)a0) : -B_EFAULT;
}

long kern_sys_task_dispatch(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    if (!is_task(a0) || !are_words(a1))
        return -B_EFAULT;
    return kern_task_dispatch((struct k_task *)a0, (const long *)a1);
}

long kern_sys_task_emit(long a0, long a1, long a2, long a3, long a4)
{
    (void)a3, (void)a4;
    if (!is_task(a0) || !are_words(a2))
        return -B_EFAULT;
    return kern_task_emit((struct k_task *)a0, (int)a1, (const long *)a2);
}

/* One event from outside: (task, enum k_task_event, a, b). */
long kern_sys_task_event(long a0, long a1, long a2, long a3, long a4)
{
    (void)a4;
    struct k_task *t = (struct k_task *)a0;
    if (!is_task(a0))
        return -B_EFAULT;
    switch (a1) {
    case K_TASK_SIGNAL:
        return kern_task_signal(t);
    case K_TASK_RESUME:
        return kern_task_resume(t);
    case K_TASK_COMPLETE:
        return kern_task_complete(t, (int)a2, a3);
    case K_TASK_FAIL:
        return kern_task_error(t, (int)a2);
    default:
        return -B_EINVAL;
    }
}

long kern_sys_task_wait(long a0, long a1, long a2, long a3, long a4)
{
    (void)a4;
    if (!is_task(a0) || !are_words(a2))
        return -B_EFAULT;
    return kern_task_wait((struct k_task *)a0, k_wide(a1, a3), (long *)a2);
}

long kern_sys_task_trywait(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    if (!is_task(a0) || !are_words(a1))
        return -B_EFAULT;
    return kern_task_trywait((struct k_task *)a0, (long *)a1);
}

static long serve(long bell)
{
    struct k_bell *b = (struct k_bell *)bell;
    if (bell == 0 || (unsigned long)bell % _Alignof(struct k_bell) != 0)
        return -B_EFAULT;
    return kern_task_serve(b);
}

/* What a running task asks and says, and the owner of a bell: (enum k_task_self, a, b). */
long kern_sys_task_self(long a0, long a1, long a2, long a3, long a4)
{
    (void)a3, (void)a4;
    switch (a0) {
    case K_TASK_CURRENT:
        if (!is_words(a1))
            return -B_EFAULT;
        *(struct k_task **)a1 = kern_task_current();
        return 0;
    case K_TASK_RETURN:
        return kern_task_return(a1);
    case K_TASK_PASS:
        return a1 == (int)a1 ? kern_task_pass((int)a1, a2) : -B_EINVAL;
    case K_TASK_SERVE:
        return serve(a1);
    case K_TASK_OWN:
        return is_task(a1) ? kern_task_signal_own((struct k_task *)a1) : -B_EFAULT;
    default:
        return -B_EINVAL;
    }
}

/* (task, enum k_task_field, long *value): get; (task, field, NULL, value): set; (NULL, 0, name of
 * a policy). */
long kern_sys_task_control(long a0, long a1, long a2, long a3, long a4)
{
    (void)a4;
    if (a0 == 0)
        return a2 != 0 ? kern_task_policy((const char *)a2) : -B_EFAULT;
    if (!is_task(a0) || !are_words(a2))
        return -B_EFAULT;
    if (a1 != (int)a1)
        return -B_EINVAL;
    return a2 != 0 ? kern_task_get((struct k_task *)a0, (enum k_task_field)a1, (long *)a2)
                   : kern_task_set((struct k_task *)a0, (enum k_task_field)a1, a3);
}
