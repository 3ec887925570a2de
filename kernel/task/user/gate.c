/* SPDX-License-Identifier: MIT */
/* The gate of a program in user mode: calls about tasks are answered in it, all others go to the
 * kernel. What a Dispatcher runs is no thread, as in the kernel, although a thread runs it: calls
 * that are about the caller, or that would wait, answer -B_EPERM. */
#include "../engine.h"

#include <kernel/call.h>
#include <sys/k_call.h>

typedef long answer(long a0, long a1, long a2, long a3, long a4);

/* By their numbers from the first on, as they follow each other. */
#define ANSWER(name) [K_NR_task_##name - K_NR_task_create] = kern_sys_task_##name
static answer *const answers[] = {
    ANSWER(create),   ANSWER(unlink), ANSWER(connect), ANSWER(disconnect),
    ANSWER(dispatch), ANSWER(emit),   ANSWER(event),   ANSWER(wait),
    ANSWER(trywait),  ANSWER(self),   ANSWER(control),
};

static const bool for_threads[] = {
    [K_NR_thread_self] = true,  [K_NR_thread_exit] = true,  [K_NR_thread_join] = true,
    [K_NR_thread_yield] = true, [K_NR_thread_sleep] = true, [K_NR_wait_on] = true,
    [K_NR_ikc_wait] = true,     [K_NR_bell_init] = true,    [K_NR_bell_wait] = true,
    [K_NR_crowd] = true,
};

/* The kernel's own gate (hal/riscv/user/call.S). */
long k_enter(int number, long a0, long a1, long a2, long a3, long a4);

/* The result of an operation may be asked for, as long as no time is given to wait for it. */
static long refused(int number, long low, long high)
{
    bool task = task_dispatcher_here >= 0 && task_running_here;
    bool asks = number == K_NR_ikc_wait && (low | high) == 0;
    return task && !asks && (size_t)number < sizeof for_threads && for_threads[number] ? -B_EPERM
                                                                                       : 0;
}

long k_call(int number, long a0, long a1, long a2, long a3, long a4)
{
    size_t n = (size_t)number - K_NR_task_create;
    answer *own = n < sizeof answers / sizeof answers[0] ? answers[n] : NULL;
    long error = own ? task_make() : refused(number, a2, a3);
    if (error != 0)
        return error;
    return own ? own(a0, a1, a2, a3, a4) : k_enter(number, a0, a1, a2, a3, a4);
}
