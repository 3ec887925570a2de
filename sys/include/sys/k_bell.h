/* SPDX-License-Identifier: MIT */
/* A bell: what one thread waits on for everything that may happen to it. Anybody of its cluster
 * rings it, and so does the kernel (k_ikc_attach). Rings say what for by bits, which add up until
 * they are taken, so none is lost. Among threads of one core no lock and no atomic operation is on
 * the way: docs/kernel.md. */
#ifndef SYS_K_BELL_H
#define SYS_K_BELL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/error.h>
#include <base/watch.h>
#include <sys/k_call.h>
#include <sys/k_types.h>

struct k_crowd;

enum {
    K_BELL_KERNEL = 1, /* an operation of an attached object is complete */
    K_BELL_TASK = 2,   /* a task of the bell is ready: k_task_serve (sys/k_task.h) */
    K_BELL_WATCH = 4,  /* the watch of the core is due */
    K_BELL_FIRST = 8   /* this and higher bits are the program's */
};

enum k_bell_wait { K_BELL_AWAKE, K_BELL_WAITS, K_BELL_WAITS_TIMED, K_BELL_WAITS_CROWD };

struct k_task;

struct k_bell {
    /* The owner's core only. */
    uint32_t rung;          /* bits not yet taken */
    uint32_t releases;      /* in a crowd: how often that had been released */
    struct k_crowd *crowd;  /* that the owner waits in */
    struct k_bell *watcher; /* the next bell of the core that watches */
    uint8_t waiting;        /* how the owner waits: enum k_bell_wait */
    bool watches;           /* k_bell_watch */

    /* Any core. */
    _Atomic uint32_t far;   /* bits rung on other cores; not 0: its core has it in its inbox */
    _Atomic(void *) thread; /* the owner; the kernel's. Constant */
    struct k_bell *next;    /* in that inbox */

    /* The task engine's: ready tasks that the owner is to run, in the order of their release. */
    _Atomic(struct k_task *) tasks;
    struct k_task *tasks_last;

    const char *what; /* for reports: a constant string */
    /* As k_wait.describe. */
    void (*describe)(const struct k_bell *b, char *text, size_t size);
};

/* Prepares a bell that belongs to the calling thread. Rings of others have no effect before, if the
 * memory was zero, and are wrong if it was not. It must live as long as anybody may ring it,
 * and after that until its owner has taken the bits once more, or has ended.
 * -B_EPERM: the caller is no thread; -B_EFAULT: b is no address of a bell. */
static inline int k_bell_init(struct k_bell *b, const char *what)
{
    return (int)k_call(K_NR_bell_init, (long)b, (long)what, 0, 0, 0);
}

/* The same, of a bell that heeds a watch: while the owner waits for it and the owner's core has
 * nothing to run, the core looks at `w`, and once that is due rings, with K_BELL_WATCH, the bell of
 * one thread that waits so. All threads of a core have the same `w`. It and the bell must live as
 * long as the cluster. Who makes `w` due and finds it asleep must ring the bell himself. -B_EINVAL:
 * the core has another watch; -B_EFAULT: w is no address of a watch; -B_ENOSYS: in user mode. */
static inline int k_bell_watch(struct k_bell *b, const char *what, struct b_watch *w)
{
    return w ? (int)k_call(K_NR_bell_init, (long)b, (long)what, (long)w, 0, 0) : -B_EFAULT;
}

/* Owner: waits until it is rung, or was since the bits were last taken (0); -B_ETIMEDOUT after
 * `timeout` cycles (0: never waits, K_FOREVER). -B_EPERM: the bell is somebody else's; -B_EFAULT
 * as above. */
int k_bell_wait(struct k_bell *b, uint64_t timeout);

/* Rings with these bits, not 0, from any thread of the cluster. What the caller wrote before is
 * visible to the owner once it takes them. Never waits. -B_EFAULT; -B_EINVAL: no bits, or the bell
 * has no owner yet. */
int k_bell_ring(struct k_bell *b, uint32_t bits);

/* Owner: modelled work (sys/k_info.h, k_work) that a ring ends, now or on the way: returns the
 * cycles that are left, 0: all is done. Other threads of the core do not run meanwhile. Where work
 * is not modelled, all of it is done at once. */
static inline uint64_t k_bell_work(struct k_bell *b, uint64_t cycles)
{
    return k_call_wide(K_NR_work, (long)cycles, (long)b, k_high(cycles), 0);
}

/* Owner: whether it was rung since the bits were last taken. */
static inline bool k_bell_rung(const struct k_bell *b)
{
    return b->rung != 0 || atomic_load_explicit(&b->far, memory_order_relaxed) != 0;
}

/* Owner: the bits rung since they were last taken; 0: none. Never waits. */
static inline uint32_t k_bell_take(struct k_bell *b)
{
    if (atomic_load_explicit(&b->far, memory_order_relaxed) != 0)
        k_bell_wait(b, 0);
    uint32_t bits = b->rung;
    b->rung = 0;
    return bits;
}

#endif
