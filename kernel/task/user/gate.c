/* SPDX-License-Identifier: MIT */
/* The gate of a program in user mode: calls about tasks are answered in it, all others go to the
 * kernel. What a Dispatcher runs is no thread, as in the kernel, although a thread runs it: calls
 * that are about the caller, or that would wait, answer -B_EPERM. */
#include "../engine.h"

#include <kernel/call.h>
#include <sys/k_call.h>

typedef long answer(long a0, long a1, long a2, long a3, long a4);

static answer *const answers[] = {
    [K_NR_task_create] = kern_sys_task_create,
    [K_NR_task_unlink] = kern_sys_task_unlink,
    [K_NR_task_connect] = kern_sys_task_connect,
    [K_NR_task_disconnect] = kern_sys_task_disconnect,
    [K_NR_task_dispatch] = kern_sys_task_dispatch,
    [K_NR_task_emit] = kern_sys_task_emit,
    [K_NR_task_event] = kern_sys_task_event,
    [K_NR_task_wait] = kern_sys_task_wait,
    [K_NR_task_trywait] = kern_sys_task_trywait,
    [K_NR_task_self] = kern_sys_task_self,
    [K_NR_task_control] = kern_sys_task_control,
};

static const bool for_threads[] = {
    [K_NR_thread_self] = true,  [K_NR_thread_exit] = true,  [K_NR_thread_join] = true,
    [K_NR_thread_yield] = true, [K_NR_thread_sleep] = true, [K_NR_wait_on] = true,
    [K_NR_ikc_wait] = true,     [K_NR_bell_init] = true,    [K_NR_bell_wait] = true,
    [K_NR_crowd] = true,
};

/* The kernel's own gate (hal/riscv/user/call.S). */
long k_enter(int number, long a0, long a1, long a2, long a3, long a4);

static bool within(int number, size_t n)
{
    return number >= 0 && (size_t)number < n;
}

static long refused(int number)
{
    bool task = task_dispatcher_here >= 0 && task_running_here;
    return task && within(number, sizeof for_threads) && for_threads[number] ? -B_EPERM : 0;
}

long k_call(int number, long a0, long a1, long a2, long a3, long a4)
{
    answer *own = within(number, sizeof answers / sizeof answers[0]) ? answers[number] : NULL;
    long error = own ? task_make() : refused(number);
    if (error != 0)
        return error;
    return own ? own(a0, a1, a2, a3, a4) : k_enter(number, a0, a1, a2, a3, a4);
}
