/* SPDX-License-Identifier: MIT */
/* struct cluster: all mutable state of the kernel in one cluster, at the start of its memory
 * window, reached by hal_local(). There is no other mutable global, so many clusters fit in a
 * process. */
#ifndef KERNEL_CLUSTER_H
#define KERNEL_CLUSTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/bitmap.h>
#include <base/config.h>
#include <base/here.h>
#include <base/watch.h>
#include <hal/context.h>
#include <hal/core.h>
#include <hal/lock.h>
#include <hal/machine.h>
#include <hal/work.h>
#include <kernel/fault.h>
#include <kernel/mem.h>
#include <kernel/thread.h>
#include <kernel/wait.h>

struct kern_ikc;   /* inter-kernel communication: kernel/ikc */
struct kern_tasks; /* task engine: kernel/task */
struct kern_user;

struct kern_core {
    struct cluster *cluster;
    int id;
    bool serves;    /* this core polls the network (and, asymmetric, serves the calls) */
    bool wanted;    /* its processor, by others, when it last polled in vain: hal_event_relax */
    uint16_t turns; /* scheduling decisions until it polls; this core only */

    /* This core only. */
    struct kern_thread *current; /* NULL: the idle context runs */
    struct kern_thread *caller;  /* of a served master call, else NULL */
    struct kern_thread *ready, *ready_last;
    struct kern_thread *timers, *timers_last; /* by deadline */
    struct hal_context idle;
    /* Where the program runs in user mode (thread/lend.c): who has the stack of the idle context
     * (under the cluster's lock), and whose one that context has instead. */
    struct kern_thread *tenant;
    void *refuge;
    uint32_t refuge_size;
    bool gone; /* the idle context: nobody may switch to it */

    /* Any core; on lines of their own. */
    _Alignas(KERN_LINE) _Atomic(struct kern_thread *)
        inbox;                              /* made ready by other cores, newest first */
    _Atomic(struct k_bell *) bells;         /* rung by other cores, newest first */
    _Atomic(struct kern_thread *) requests; /* master calls of this core's threads, newest first */
    struct kern_thread *serving;            /* core 0: requests taken, oldest first */
    atomic_bool asleep;                     /* waits for an event: a waker must notify */
    uint32_t threads;                       /* pinned here; under the cluster's lock */

    /* This core only; here is room for them. */
    struct b_watch *watch;    /* looked at while nothing runs; NULL: none */
    struct k_bell *watchers;  /* of the threads for which it is looked at */
    struct kern_thread *dead; /* ended, still to be reaped by the idle context */
};

/* Page frames after the pools. Under the cluster's lock. */
struct kern_frames {
    uint8_t *base;
    size_t page, count; /* bytes of a page, frames */
    struct b_bitmap used;
    struct b_bitmap first;        /* an allocation starts here */
    size_t fresh;                 /* from this one on none was given yet: they are zero */
    size_t taken;                 /* frames allocated */
    size_t charged;               /* frames charged for memory that lies elsewhere */
    size_t charges[KERN_CHARGES]; /* ... what for */
    size_t pools;                 /* bytes before the frames */
    size_t memory;                /* bytes that the cluster has; the window may have more: */
    size_t lent;                  /* then charges are not refused, and pages have all of it */
    size_t high;                  /* most bytes in use; then: */
    size_t high_taken, high_charges[KERN_CHARGES];
};

struct cluster {
    /* Constant after boot. */
    const struct hal_machine *machine;
    int id;
    int cores;
    int user_core;      /* first core for programs */
    bool asymmetric;    /* master calls run on core 0 */
    bool gated;         /* kernel calls have a price, or another core may have to serve them */
    bool plain;         /* not so, and waking and switching have none either */
    bool insists;       /* who waits does so busily, as the ancestor's threads: ikc/waiter.c */
    bool spins;         /* who waits looks for a while, and a look at the network takes time */
    uint8_t poll_turns; /* of kern_core.turns */
    const struct kern_user
        *user; /* the program runs in user mode: call/user.h; NULL: it does not */
    struct kern_core *core;
    struct kern_thread *thread; /* machine->threads slots */
    struct kern_ikc *ikc;
    struct kern_tasks *tasks;
    int (*main)(void *arg);
    void *main_arg;

    /* Guards thread slots, joins, page frames. Short sections; taken after no other kernel lock and
     * held over no call into another room. */
    struct hal_lock lock;
    struct hal_lock queues; /* what the program waits for, if it runs in user mode; before none */
    struct kern_thread *crowds; /* then: who waits in a crowd, by wait_next; under `queues` */
    struct hal_lock table; /* of an ancestor's thread manager (thread/manager.c); before `lock` */
    struct kern_thread *free; /* thread slots, oldest first */
    struct kern_thread *free_last;
    struct kern_frames frames;

    struct kern_pager pager;

    atomic_int requests; /* master calls posted and not yet taken */
    atomic_int running;  /* cores not yet stopped, for kern_shutdown */
    atomic_bool stopping;
    void *_Atomic local; /* k_cluster_local */
};

static inline struct cluster *kern_cluster(void)
{
    return hal_local();
}

static inline struct kern_core *kern_core(void)
{
    return &kern_cluster()->core[hal_core()];
}

/* The thread that runs on the calling core, NULL in an idle context. In a master call served by
 * core 0 this is NOT the caller of the call: kern_caller is. */
static inline struct kern_thread *kern_current(void)
{
    return kern_core()->current;
}

/* The same, without a look at the core. */
static inline struct kern_thread *kern_current_quickly(void)
{
    return b_here ? (struct kern_thread *)((uint8_t *)b_here - offsetof(struct kern_thread, local))
                  : NULL;
}

/* From now on t runs on the calling core; NULL: no thread. */
static inline void kern_current_set(struct kern_core *core, struct kern_thread *t)
{
    core->current = t;
    b_here = t ? &t->local : NULL;
}

/* Charges one of machine->cost; on real machines all of them are 0. */
static inline void kern_charge(uint64_t cycles)
{
    if (cycles != 0)
        hal_work(cycles);
}

#endif
