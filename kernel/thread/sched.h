/* SPDX-License-Identifier: MIT */
/* Scheduling, as the parts of kernel/thread and kernel/call see it. docs/kernel.md tells the
 * protocol. */
#ifndef KERNEL_THREAD_SCHED_H
#define KERNEL_THREAD_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include <base/assert.h>
#include <base/config.h>
#include <hal/context.h>
#include <kernel/cluster.h>
#include <sys/k_bell.h>

/* Puts a thread whose claim the caller won (or which never ran) at the end of its core's run queue.
 * From any core and context. */
void kern_ready(struct kern_thread *t);

/* Puts threads of the calling core, linked by `next` from first to last, there. */
static inline void kern_ready_all(struct kern_core *core, struct kern_thread *first,
                                  struct kern_thread *last)
{
    b_assert(first->core == core && last->core == core);
    last->next = NULL;
    if (!core->ready)
        core->ready = first;
    else
        core->ready_last->next = first;
    core->ready_last = last;
}

static inline void kern_append(struct kern_core *core, struct kern_thread *t)
{
    kern_ready_all(core, t, t);
}

/* Takes the next thread from the core's run queue. NULL: there is none, or the core must look
 * at something else first. */
static inline struct kern_thread *kern_ready_at_once(struct kern_core *core)
{
    struct kern_thread *t = core->ready;
    if (!t || core->turns == 1 || atomic_load_explicit(&core->bells, memory_order_relaxed) ||
        atomic_load_explicit(&core->inbox, memory_order_relaxed))
        return NULL;
    core->turns--;
    core->ready = t->next;
    return t;
}

/* The same for the owner of b, who runs and is to wait: NULL also if the bell was rung. */
static inline struct kern_thread *kern_ready_instead(struct kern_core *core, const struct k_bell *b)
{
    bool rung = b->rung != 0 || atomic_load_explicit(&b->far, memory_order_relaxed) != 0;
    return rung ? NULL : kern_ready_at_once(core);
}

/* What a thread needs first when it runs comes from the second cache if there are many of them: the
 * top of its stack, and what belongs to it above the kernel. */
static inline void kern_fetch(const struct kern_thread *t)
{
    const char *sp = t->context.sp;
    __builtin_prefetch(sp);
    __builtin_prefetch(sp + KERN_LINE);
    __builtin_prefetch(sp + 2 * KERN_LINE);
    __builtin_prefetch(sp + 3 * KERN_LINE);
    __builtin_prefetch(sp + 4 * KERN_LINE);
    __builtin_prefetch(t->local);
    __builtin_prefetch(atomic_load_explicit(&t->bell, memory_order_relaxed));
}

/* The core goes on to thread `to`, for a price. Meanwhile what the thread after it needs is
 * fetched. */
static inline void kern_run(struct kern_core *core, struct hal_context *from,
                            struct kern_thread *to, uint64_t price)
{
    if (core->ready)
        kern_fetch(core->ready);
    b_assert(to->core == core);
    kern_current_set(core, to);
    kern_charge(price);
    hal_context_switch(from, &to->context);
}

/* The calling thread t, armed and queued somewhere, waits until somebody makes it ready. With a
 * deadline the claim says afterwards who did. */
void kern_block(struct kern_thread *t, uint64_t deadline);

/* Arms t for a wait that one waker or the timer will end. */
static inline void kern_arm(struct kern_thread *t)
{
    atomic_store_explicit(&t->claim, KERN_CLAIM_ARMED, memory_order_relaxed);
}

/* True for the one caller that ends the wait of t; that one must kern_ready it. */
static inline bool kern_claim(struct kern_thread *t, enum kern_claim by)
{
    int armed = KERN_CLAIM_ARMED;
    return atomic_compare_exchange_strong_explicit(&t->claim, &armed, by, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

static inline bool kern_timed_out(struct kern_thread *t)
{
    return atomic_load_explicit(&t->claim, memory_order_acquire) == KERN_CLAIM_TIMEOUT;
}

/* The idle context of a core: reaps, runs threads, polls, sleeps. Returns when the cluster
 * stops. */
void kern_idle(struct kern_core *core);

/* Whether another thread waits for the core, of those that other cores made ready too. */
bool kern_others_ready(struct kern_core *core);

/* One look at everything that can make a thread ready: timers, network, calls to serve. */
bool kern_poll(struct kern_core *core);

/* Takes the bells that other cores rang from the core's inbox. */
void kern_bells_collect(struct kern_core *core);

/* The owner of a bell, which waits in a crowd, is woken by the bell: false if the crowd was
 * released, so that it is ready already. Its core. */
bool kern_crowd_leave(struct k_bell *b, struct kern_thread *t);

/* The core's watch, which it must have, is due, and a thread was made ready for that. */
bool kern_watch_due(struct kern_core *core);

/* Raises the event of a core if it sleeps, or works and a bell interrupts that. */
void kern_nudge(struct kern_core *core);

/* The calling thread, which has ended or will never run again, leaves its core to the idle
 * context. */
_Noreturn void kern_leave(struct kern_core *core, struct kern_thread *t);

/* In the idle context: the core's current thread begins, on the stack of that context. */
_Noreturn void kern_guest_begin(struct kern_core *core);

/* Frees what a thread that ended on this core left. */
void kern_reap(struct kern_core *core);

/* The calling core's timers. expire: readies whoever's deadline has come; true if any. */
void kern_timer_add(struct kern_core *core, struct kern_thread *t, uint64_t deadline);
void kern_timer_remove(struct kern_core *core, struct kern_thread *t);
bool kern_timer_expire(struct kern_core *core);

/* The instant `cycles` from now, HAL_NEVER if that is past the end of time. */
uint64_t kern_deadline(uint64_t cycles);

/* Core 0 of an asymmetric cluster: serves one posted call of each core. True if there was one. */
bool kern_serve(struct kern_core *core);

/* Thread slots. */
void kern_threads_init(struct cluster *c);
struct kern_thread *kern_thread_find(struct cluster *c, int id); /* under the cluster's lock */

/* Whether t, which a program may have written, is a slot of a thread that began. */
static inline bool kern_is_thread(const struct cluster *c, const struct kern_thread *t)
{
    uintptr_t offset = (uintptr_t)t - (uintptr_t)c->thread;
    return offset / sizeof *t < c->machine->threads && offset % sizeof *t == 0 && t->core;
}

/* The calling context becomes a thread of its core and goes on; returns it, NULL: no slot left. */
struct kern_thread *kern_thread_adopt(struct cluster *c, const char *name);

/* Registers the cluster's part of hal_report_print. */
void kern_report_init(struct cluster *c);

#endif
