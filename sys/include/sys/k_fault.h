/* SPDX-License-Identifier: MIT */
/* Exceptions of memory. A thread that touches a page it may not touch waits, and gives its core to
 * others, while the cluster's pager makes the page good; then it tries again. The pager is a thread
 * that waits for a bell (variants baseline and partial) or the head of a task graph (full): either
 * is told once for each fault, takes it, and in the end resolves it. souto-2022, 4.2.2.
 *
 * Only threads may fault. What is given to a kernel call (buffers, results) must be there. */
#ifndef SYS_K_FAULT_H
#define SYS_K_FAULT_H

#include <stddef.h>

#include <sys/k_call.h>

enum k_access { K_ACCESS_READ, K_ACCESS_WRITE };

struct k_fault {
    void *address;
    enum k_access access;
    int thread; /* id of the thread that waits: it has one fault at a time */
};

struct k_bell;
struct k_task;

/* Faults in the n bytes from `base` on are the pager's from now on: each rings `bell` (with
 * K_BELL_KERNEL) or releases `task`; one of them is NULL. A
 * cluster has one such range; both base and n are multiples of the page of protection, which is the
 * caller's business. Bell or task must live until k_fault_detach. -B_EBUSY: there is a pager;
 * -B_EINVAL, also for a bell without owner; -B_EFAULT: no address of a bell. Never waits. */
static inline int k_fault_attach(void *base, size_t n, struct k_bell *bell, struct k_task *task)
{
    return (int)k_call(K_NR_fault_attach, (long)base, (long)n, (long)bell, (long)task, 0);
}

/* There is no pager any more. -B_EBUSY: threads wait for it; -B_ENOENT: there was none. */
static inline int k_fault_detach(void)
{
    return (int)k_call(K_NR_fault_attach, 0, 0, 0, 0, 0);
}

/* The oldest fault that was not taken yet: 0 and *f, -B_EAGAIN there is none. From threads, tasks
 * and handlers. */
static inline int k_fault_take(struct k_fault *f)
{
    return (int)k_call(K_NR_fault_take, (long)f, 0, 0, 0, 0);
}

/* Ends a fault that was taken: with 0 its thread touches the page again; with an error code the
 * access can never succeed, and the machine ends with status K_FAULT_STATUS and a line that names
 * thread, byte of the range, and error. -B_ENOENT: that thread has no such fault. */
enum { K_FAULT_STATUS = 139 };
static inline int k_fault_resolve(int thread, int error)
{
    return (int)k_call(K_NR_fault_resolve, thread, error, 0, 0, 0);
}

/* The same without error, for a pager that must not take the page away before the thread had it:
 * the thread calls back(a, b) as the last thing before it touches the page again. back() must not
 * wait or fault. */
typedef void k_fault_back(void *a, void *b);
static inline int k_fault_resolve_back(int thread, k_fault_back *back, void *a, void *b)
{
    return (int)k_call(K_NR_fault_resolve, thread, 0, (long)back, (long)a, (long)b);
}

#endif
