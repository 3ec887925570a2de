/* SPDX-License-Identifier: MIT */
#include <sys/k_task.h>

#include <base/error.h>

struct k_task *k_task_current(void)
{
    struct k_task *t = NULL;
    k_call(K_NR_task_self, K_TASK_CURRENT, (long)&t, 0, 0, 0);
    return t;
}

int k_task_return(long value)
{
    return (int)k_call(K_NR_task_self, K_TASK_RETURN, value, 0, 0, 0);
}

int k_task_pass(int index, long value)
{
    return (int)k_call(K_NR_task_self, K_TASK_PASS, index, value, 0, 0);
}

int k_task_get(struct k_task *t, enum k_task_field field, long *value)
{
    if (!t || !value)
        return -B_EFAULT;
    return (int)k_call(K_NR_task_control, (long)t, (long)field, (long)value, 0, 0);
}

int k_task_set(struct k_task *t, enum k_task_field field, long value)
{
    if (!t)
        return -B_EFAULT;
    return (int)k_call(K_NR_task_control, (long)t, (long)field, 0, value, 0);
}

int k_task_policy(const char *name)
{
    return (int)k_call(K_NR_task_control, 0, 0, (long)name, 0, 0);
}
