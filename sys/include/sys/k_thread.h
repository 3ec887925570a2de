/* SPDX-License-Identifier: MIT */
/* Threads: cooperative, many per core, pinned to their core for life. Only calls that "wait" let
 * another thread of the core run; in user mode a tick does, too. */
#ifndef SYS_K_THREAD_H
#define SYS_K_THREAD_H

#include <stdatomic.h>
#include <stdint.h>

#include <sys/k_call.h>
#include <sys/k_types.h>

/* What to start. */
struct k_thread_attr {
    void (*entry)(void *arg);
    void *arg;
    const char *name; /* copied, at most KERN_NAME_MAX-1 bytes; NULL = "thread" */
    int core;     /* of this cluster; K_ANY = the core with the fewest threads, core 0 left out on
                         asymmetric machines */
    size_t stack; /* bytes, 0 = the port's default */
};

/* Starts a thread; returns its id (>= 0). The id is valid until joined. -B_ENOMEM: no thread or no
 * page frames left; -B_EINVAL: no such core. */
static inline int k_thread_create(const struct k_thread_attr *attr)
{
    return (int)k_call(K_NR_thread_create, (long)attr, 0, 0, 0, 0);
}

static inline int k_thread_self(void)
{
    return (int)k_call(K_NR_thread_self, 0, 0, 0, 0, 0);
}

/* Ends the calling thread; returning from entry is the same with NULL. */
_Noreturn void k_thread_exit(void *value);

/* Waits for the end of thread `id` and releases it; *value (may be NULL) gets its exit value.
 * -B_EBADF no such thread or joined before, -B_EDEADLK itself, -B_EBUSY another thread joins it. */
static inline int k_thread_join(int id, void **value)
{
    return (int)k_call(K_NR_thread_join, id, (long)value, 0, 0, 0);
}

/* Lets the other ready threads of this core run, and the network make progress. */
void k_thread_yield(void);

/* The same for who asks for something again and again (MPI_Test): where looking at the network
 * takes time and no other thread is ready, that is done only every few times. */
void k_thread_pass(void);

/* In user mode a tick may give the core to another thread between any two instructions of one that
 * computes. From k_thread_hold to k_thread_release it does not, so threads of a core may share data
 * there without a lock, as those in the kernel's mode always may: they are switched by calls that
 * wait or yield alone, and so is one that holds. The kernel's own work (network, timers, tasks)
 * goes on. Pairs nest. A release after a tick that was held back yields. */
void k_thread_hold(void);
void k_thread_release(void);

/* What a hold says to the kernel, in memory of the thread: it holds, a tick came meanwhile. */
struct k_hold {
    _Atomic uint32_t held, late;
};

/* Waits for `cycles`. */
static inline void k_thread_sleep(uint64_t cycles)
{
    k_call(K_NR_thread_sleep, (long)cycles, k_high(cycles), 0, 0, 0);
}

/* Returns value; hal_context_return (hal/context.h) for who may have waited and returns to the
 * program: the last call of such a function. */
int k_thread_return(int value);

#endif
