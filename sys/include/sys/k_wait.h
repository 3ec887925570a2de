/* SPDX-License-Identifier: MIT */
/* The one blocking primitive: a queue of threads beside a word of the caller's. Mutex, condition
 * variable, semaphore and fence below are built on it, and so is everything above. */
#ifndef SYS_K_WAIT_H
#define SYS_K_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/k_call.h>
#include <sys/k_types.h>

struct k_wait {
    void *head, *tail; /* waiting threads; the kernel's */
    uint32_t lock;     /* guards the queue and what the caller couples to it */
    int holder;        /* thread id + 1 of who can end the wait, 0 = unknown; for reports */
    const char *what;  /* for reports: "mutex", "mpi recv"; a constant string */
    /* Says more than `what` in a report: writes at most size bytes, terminator included, to
     * text. NULL: `what` is all. Runs while the cluster stands still; takes no lock, tolerates
     * half-made state. */
    void (*describe)(const struct k_wait *w, char *text, size_t size);
};

/* Prepares a queue; no thread may wait on it. All-zero plus `what` is the same. */
static inline void k_wait_init(struct k_wait *w, const char *what)
{
    *w = (struct k_wait){.what = what};
}

/* For a bounded loop that looks at a word, after its try number `tries`: on real machines a short
 * pause, or, where cores share processors, others have their turn; from try 100 on the core sleeps
 * for a moment, or, in user mode, other threads of the core run, also if the caller holds it. */
static inline void k_relax(long tries)
{
    k_call(K_NR_relax, tries, 0, 0, 0, 0);
}

/* Guards: everything between k_wait_lock and k_wait_unlock (or k_wait_on, which unlocks) happens at
 * once for the other cores of the cluster. Short sections; nothing that waits inside. */
void k_wait_lock(struct k_wait *w);

static inline bool k_wait_trylock(struct k_wait *w)
{
    return __atomic_load_n(&w->lock, __ATOMIC_RELAXED) == 0 &&
           __atomic_exchange_n(&w->lock, 1, __ATOMIC_ACQUIRE) == 0;
}

static inline void k_wait_unlock(struct k_wait *w)
{
    __atomic_store_n(&w->lock, 0, __ATOMIC_RELEASE);
}

/* With the lock held: queues the calling thread, unlocks, waits to be woken; returns 0, without
 * the lock. -B_ETIMEDOUT after `timeout` cycles (0: at once). No wake-up between unlock and wait
 * is lost; a thread that timed out was counted by no k_wake. -B_EFAULT: w is no address of a
 * queue; -B_EPERM: its lock is free, or the caller is no thread. */
static inline int k_wait_on(struct k_wait *w, uint64_t timeout)
{
    return (int)k_call(K_NR_wait_on, (long)w, (long)timeout, k_high(timeout), 0, 0);
}

/* With the lock held: makes the `n` first waiting threads ready, in order; returns how many.
 * Errors: -B_EFAULT, -B_EPERM as above; -B_EINVAL: n < 0. */
static inline int k_wake(struct k_wait *w, int n)
{
    return (int)k_call(K_NR_wake, (long)w, n, 0, 0, 0);
}

struct k_mutex {
    struct k_wait wait;
    int owner; /* thread id + 1, 0 = free, -1 = handed to a waiter; under wait.lock */
};
void k_mutex_init(struct k_mutex *m);
int k_mutex_lock(struct k_mutex *m);    /* -B_EDEADLK: already mine */
int k_mutex_trylock(struct k_mutex *m); /* -B_EBUSY */
int k_mutex_unlock(struct k_mutex *m);  /* -B_EPERM: not mine. Hands over to the first waiter. */

struct k_cond {
    struct k_wait wait;
};
void k_cond_init(struct k_cond *c);
/* Unlocks m, waits for a signal, locks m. -B_EPERM: m is not mine; -B_ETIMEDOUT (m is locked
 * again). */
int k_cond_wait(struct k_cond *c, struct k_mutex *m, uint64_t timeout);
void k_cond_signal(struct k_cond *c);
void k_cond_broadcast(struct k_cond *c);

struct k_sem {
    struct k_wait wait;
    int count; /* under wait.lock */
};
void k_sem_init(struct k_sem *s, int count);
int k_sem_down(struct k_sem *s, uint64_t timeout); /* -B_ETIMEDOUT */
int k_sem_trydown(struct k_sem *s);                /* -B_EAGAIN */
void k_sem_up(struct k_sem *s);

/* Fence: `n` threads of the cluster meet: each waits until all have come; then it may be used
 * again. */
struct k_fence {
    struct k_wait wait;
    int n, arrived; /* arrived: under wait.lock */
};
void k_fence_init(struct k_fence *f, int n);
void k_fence(struct k_fence *f);

#endif
