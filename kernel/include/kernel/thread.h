/* SPDX-License-Identifier: MIT */
/* Threads: cooperative, pinned to their core for life. docs/kernel.md has the states. */
#ifndef KERNEL_THREAD_H
#define KERNEL_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/config.h>
#include <hal/context.h>
#include <kernel/wait.h>
#include <sys/k_bell.h>
#include <sys/k_thread.h>
#include <sys/k_wait.h>

struct cluster;
struct kern_core;
struct kern_request;

enum kern_state {
    KERN_FREE,  /* no thread in this slot */
    KERN_ALIVE, /* runs, is ready, or waits */
    KERN_ZOMBIE /* ended, its stack is gone, waits to be joined */
};

/* Who ends a wait. Exactly one waker wins the exchange from ARMED. */
enum kern_claim { KERN_CLAIM_NONE, KERN_CLAIM_ARMED, KERN_CLAIM_WOKEN, KERN_CLAIM_TIMEOUT };

/* Bytes that a thread in user mode needs in the kernel on a core that leaves the network and calls
 * of others to the first one, with what the port keeps of it there. */
#define KERN_SHORT_STACK 1792

/* With many threads on a core each line of one comes from the second cache, so what waking and
 * switching touches lies together: the first line, and the first one of those that cross cores. */
struct kern_thread {
    /* Constant while the thread lives. */
    struct kern_core *core;

    /* The thread's own core only. */
    struct hal_context context;
    void *local; /* k_thread_local */
    bool timed;  /* in the timer queue */

    bool joining; /* somebody joins it; under the cluster's lock */
    uint8_t slot; /* enum kern_state; under the cluster's lock */
    bool guest;   /* begins in the idle context, on whose stack it will run: lend.c */

    /* Constant while the thread lives. */
    int id; /* generation and slot: a stale id names no thread */
    char name[KERN_NAME_MAX];
    void *stack; /* NULL: the thread runs on a stack that is not the kernel's */
    size_t stack_size;
    void *user_stack; /* page frames, of a thread in user mode; else NULL */
    size_t user_size;

    /* Under the cluster's lock. */
    struct kern_thread *free;
    struct kern_wait joiners;

    /* The thread's own core only. */
    struct kern_thread *timer_next, *timer_prev;
    uint64_t deadline;    /* valid while in the timer queue */
    struct task_run *run; /* the task of a bell that it runs: kernel/task */

    /* Crossing cores, on lines of their own: see docs/kernel.md. */
    _Alignas(KERN_LINE) atomic_int claim;      /* enum kern_claim */
    bool queued;                               /* in a wait queue; under its lock */
    struct kern_thread *next;                  /* in a run queue, an inbox, or posted calls */
    struct kern_thread *wait_next, *wait_prev; /* under the wait queue's lock */
    const struct k_crowd *crowd; /* in user mode: in which it waits; under the queues' lock */
    uint64_t since;              /* of the wait: cycle; hal_clock_recent */
    /* For reports: what the thread waits for; all NULL = it does not wait. */
    _Atomic(const struct k_bell *) bell;       /* its bell */
    _Atomic(const struct kern_wait *) waits;   /* a kernel queue */
    _Atomic(const struct k_wait *) user_waits; /* a queue of the program */
    _Atomic(const char *) asleep;              /* something without a queue: "sleep" */
    struct kern_request *request;              /* the master call it has posted: kernel/call */
    struct k_hold *hold; /* of a thread in user mode, which says it itself; NULL: it never held */

    /* Here is room for them: what the thread runs, and its argument. */
    void (*entry)(void *arg);
    union {
        void *arg;
        void *value; /* once it has ended: of k_thread_exit; under the cluster's lock */
    };
};

/* The thread for which the current kernel call runs. */
struct kern_thread *kern_caller(void);

/* Starts a thread on attr->core (checked); returns its id or an error. */
int kern_thread_start(struct cluster *c, const struct k_thread_attr *attr);

/* Lets the other ready threads of the calling core run; if there are none, polls once, or, with
 * `often`, one of cluster->poll_turns times where the cluster spins and nobody else wants the
 * processor. */
void kern_yield(struct kern_core *core, bool often);

/* Waits `cycles`; other threads run. */
void kern_sleep(uint64_t cycles);

#endif
