/* SPDX-License-Identifier: MIT */
/* The wait queue: the one way in which a thread of the kernel waits. docs/kernel.md proves it.
 *
 * A queue is guarded by a hal_lock of its owner, the same lock that guards what the threads wait
 * for; several queues may share one lock. struct k_wait (sys/k_wait.h) is the same thing for
 * programs, with a lock word instead of a hal_lock. */
#ifndef KERNEL_WAIT_H
#define KERNEL_WAIT_H

#include <stddef.h>
#include <stdint.h>

#include <hal/lock.h>

struct kern_wait {
    void *head, *tail;     /* waiting threads, oldest first */
    struct hal_lock *lock; /* guards the queue and the condition */
    const char *what;      /* for reports: "join"; a constant string */
    /* Optional: writes a fuller text ("mailbox read port 3 from any") for a report, which may
     * come at any instant: takes no lock, tolerates half-made state. */
    void (*describe)(const struct kern_wait *w, char *text, size_t size);
};

/* Prepares an empty queue. `lock` and `what` must outlive it. */
void kern_wait_init(struct kern_wait *w, struct hal_lock *lock, const char *what);

/* With the lock held, from a thread (not from an idle context, not inside a master call served
 * for somebody else): queues the calling thread, releases the lock, lets other threads run, and
 * returns without the lock: 0 woken, -B_ETIMEDOUT after `timeout` cycles (K_FOREVER = none; 0 =
 * at once, without giving up the core). A wake-up is never both lost and timed out: if it
 * returns -B_ETIMEDOUT no kern_wake counted this thread. The caller re-checks its condition
 * under the lock. */
int kern_wait_on(struct kern_wait *w, uint64_t timeout);

/* With the lock held, from any context: makes the first `n` waiting threads ready, in order;
 * returns how many. Charges hal_cost.wakeup for each. Never waits, never switches. */
int kern_wake(struct kern_wait *w, int n);

/* Rings a program's bell (k_bell_ring, k_ikc_attach) from any context of its cluster; a hal_lock
 * may be held. */
struct k_bell;
void kern_bell_ring(struct k_bell *b, uint32_t bits);

/* Whether the kernel may ring a bell that a program names: 0, also for NULL, which is none;
 * -B_EFAULT no address of a bell; -B_EINVAL it has no owner yet. */
int kern_bell_check(struct k_bell *b);

/* The bell's owner; NULL: it has none yet. */
struct kern_thread *kern_bell_owner(struct k_bell *b);

#endif
