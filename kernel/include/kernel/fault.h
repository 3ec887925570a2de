/* SPDX-License-Identifier: MIT */
/* Exceptions of memory as the hardware layer reports them; sys/k_fault.h tells what becomes of
 * them. */
#ifndef KERNEL_FAULT_H
#define KERNEL_FAULT_H

#include <stdbool.h>

#include <hal/lock.h>
#include <sys/k_fault.h>

struct kern_fault;

/* The pager of a cluster and the faults that wait for it; all under `lock`, after which only the
 * task engine's and no other lock is taken. */
struct kern_pager {
    struct hal_lock lock;
    char *base; /* NULL: there is no pager */
    size_t size;
    struct k_bell *bell;
    struct k_task *task;
    struct kern_fault *first, *last; /* oldest first; each lies on the stack of its thread */
};

void kern_pager_init(struct kern_pager *p);

/* The calling thread touched `address`, on which it stands with its own stack and as if it had
 * called this function: no lock held, any number of other threads may run meanwhile, also on this
 * core. True: the pager made the page good, the access shall be tried again. False: nobody's fault
 * here (no pager for that address, or not a thread): the access is an error of the program. */
bool kern_fault(void *address, enum k_access access);

#endif
