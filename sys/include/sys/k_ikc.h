/* SPDX-License-Identifier: MIT */
/* Completion of operations on mailboxes, portals and syncs. */
#ifndef SYS_K_IKC_H
#define SYS_K_IKC_H

#include <stdint.h>

#include <sys/k_call.h>
#include <sys/k_bell.h>
#include <sys/k_types.h>

/* 1 the pending operation of `id` is complete (k_ikc_wait will not wait), 0 not yet; -B_EINVAL no
 * operation is pending. Polls the network; never waits. */
static inline int k_ikc_test(enum k_facility f, int id)
{
    return (int)k_call(K_NR_ikc_test, f, id, 0, 0, 0);
}

/* Waits for the pending operation and returns its result (bytes or an error), which ends it.
 * -B_ETIMEDOUT after `timeout` cycles (0: do not wait, K_FOREVER): the operation stays pending
 * and may be waited for again or cancelled. -B_EINVAL no operation is pending; -B_EPERM it is, and
 * the caller is a task, which may not wait. */
static inline long k_ikc_wait(enum k_facility f, int id, uint64_t timeout)
{
    return k_call(K_NR_ikc_wait, f, id, (long)timeout, k_high(timeout), 0);
}

/* Cancels the pending operation: 0 = it never happened; -B_EBUSY = too late, it is under way or
 * done: wait for it; it ends with -B_ECANCELED if the other side refuses it or withdraws.
 * -B_EINVAL no operation is pending. */
static inline int k_ikc_cancel(enum k_facility f, int id)
{
    return (int)k_call(K_NR_ikc_cancel, f, id, 0, 0, 0);
}

/* Has each completion of an operation of `id` ring `bell` with K_BELL_KERNEL from now on. So one
 * thread can wait for several objects, and for threads of its own cluster, at once. If an operation
 * is complete already, it rings now. Another call replaces the bell, NULL removes it; the bell must
 * live until then or until the object ends. Errors: -B_EBADF; -B_EINVAL for a sync, or a bell
 * without owner; -B_EFAULT no address of a bell. Never waits. */
static inline int k_ikc_attach(enum k_facility f, int id, struct k_bell *bell)
{
    return (int)k_call(K_NR_ikc_attach, f, id, (long)bell, 0, 0);
}

/* The same for a task: each completion releases it once (k_task_signal). Replaces a bell, and a
 * bell replaces it. The task must live until then or until the object ends. */
struct k_task;
static inline int k_ikc_attach_task(enum k_facility f, int id, struct k_task *task)
{
    return (int)k_call(K_NR_ikc_attach, f, id, 0, (long)task, 0);
}

#endif
