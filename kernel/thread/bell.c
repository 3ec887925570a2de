/* SPDX-License-Identifier: MIT */
/* Bells: docs/kernel.md has the protocol. A ring on the owner's core is plain memory; one from
 * another core adds its bits to `far`, and if it is the first there, puts the bell into the inbox
 * of the owner's core, which takes bells out (kern_bells_collect) before it runs the next thread or
 * sleeps. */
#include "sched.h"

#include <base/error.h>
#include <hal/clock.h>
#include <hal/work.h>
#include <kernel/call.h>
#include <sys/k_bell.h>

struct kern_thread *kern_bell_owner(struct k_bell *b)
{
    return atomic_load_explicit(&b->thread, memory_order_acquire);
}

/* On the owner's core. A thread that timed out is ready already. */
static void rung(struct k_bell *b, uint32_t bits)
{
    struct kern_thread *t = kern_bell_owner(b);
    b->rung |= bits;
    if (!b->waiting) {
        return;
    }
    b->waiting = false;
    bool mine =
        b->crowd != NULL ? kern_crowd_leave(b, t) : !b->timed || kern_claim(t, KERN_CLAIM_WOKEN);
    if (mine) {
        kern_ready(t);
    }
}

static void push(struct kern_core *core, struct k_bell *b)
{
    struct k_bell *top = atomic_load_explicit(&core->bells, memory_order_relaxed);
    do {
        b->next = top;
    } while (!atomic_compare_exchange_weak(&core->bells, &top, b));
    kern_nudge(core);
}

void kern_bell_ring(struct k_bell *b, uint32_t bits)
{
    struct kern_core *core = kern_bell_owner(b)->core;
    if (core == kern_core()) {
        if (b->waiting) {
            kern_charge(core->cluster->machine->cost.wakeup);
        }
        rung(b, bits);
    } else if (atomic_fetch_or(&b->far, bits) == 0) {
        kern_charge(core->cluster->machine->cost.wakeup);
        push(core, b);
    }
}

/* From the exchange on others may push the bell again, so its link is read first. */
void kern_bells_collect(struct kern_core *core)
{
    struct k_bell *b = atomic_exchange_explicit(&core->bells, NULL, memory_order_acquire);
    struct k_bell *oldest = NULL;
    while (b != NULL) {
        struct k_bell *older = b->next;
        b->next = oldest;
        oldest = b;
        b = older;
    }
    while (oldest != NULL) {
        struct k_bell *newer = oldest->next;
        rung(oldest, atomic_exchange(&oldest->far, 0));
        oldest = newer;
    }
}

static bool bad_address(const struct k_bell *b)
{
    return b == NULL || (uintptr_t)b % _Alignof(struct k_bell) != 0;
}

long kern_sys_bell_init(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    struct k_bell *b = (struct k_bell *)a0;
    struct kern_thread *t = kern_current();
    if (bad_address(b)) {
        return -B_EFAULT;
    }
    if (t == NULL) {
        return -B_EPERM;
    }
    b->rung = 0;
    b->waiting = b->timed = false;
    b->crowd = NULL;
    b->what = (const char *)a1;
    b->describe = NULL;
    b->tasks_last = NULL;
    atomic_store_explicit(&b->tasks, NULL, memory_order_relaxed);
    atomic_store_explicit(&b->far, 0, memory_order_relaxed);
    atomic_store_explicit(&b->thread, t, memory_order_release);
    return 0;
}

/* The bell's owner waits: its core's inbox is looked at before it sleeps (kern_block). */
static int wait(struct k_bell *b, struct kern_thread *t, uint64_t timeout)
{
    b->timed = timeout != K_FOREVER;
    if (b->timed) {
        kern_arm(t);
    }
    b->waiting = true;
    atomic_store_explicit(&t->bell, b, memory_order_relaxed);
    kern_block(t, b->timed ? kern_deadline(timeout) : HAL_NEVER);
    atomic_store_explicit(&t->bell, NULL, memory_order_relaxed);
    b->waiting = false;
    return b->rung != 0 ? 0 : -B_ETIMEDOUT;
}

long kern_sys_bell_wait(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    struct k_bell *b = (struct k_bell *)a0;
    struct kern_thread *t = kern_current();
    if (bad_address(b)) {
        return -B_EFAULT;
    }
    if (t == NULL || kern_bell_owner(b) != t) {
        return -B_EPERM;
    }
    if (atomic_load_explicit(&b->far, memory_order_relaxed) != 0) {
        kern_bells_collect(t->core);
    }
    if (b->rung != 0) {
        return 0;
    }
    return a1 == 0 ? -B_ETIMEDOUT : wait(b, t, (uint64_t)a1);
}

/* Like rest() in sched.c: the core says that it sleeps, so that who rings elsewhere raises its
 * event. What comes on the way, interrupts of the network among it, is seen to at once; threads of
 * the core do not run, because it is busy. */
static uint64_t work(struct k_bell *b, struct kern_core *core, uint64_t left)
{
    kern_bells_collect(core);
    while (left > 0 && b->rung == 0) {
        atomic_store(&core->asleep, true);
        if (atomic_load(&core->bells) == NULL) {
            left = hal_work_event(left);
        }
        atomic_store(&core->asleep, false);
        if (left > 0) {
            kern_charge(core->cluster->machine->cost.ipi);
            kern_poll(core);
            kern_bells_collect(core);
        }
    }
    return left;
}

long kern_sys_work(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    struct k_bell *b = (struct k_bell *)a1;
    struct kern_core *core = kern_core();
    if (!bad_address(b) && core->current != NULL && kern_bell_owner(b) == core->current) {
        return (long)work(b, core, (uint64_t)a0);
    }
    hal_work((uint64_t)a0);
    return 0;
}

long kern_sys_bell_ring(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    struct k_bell *b = (struct k_bell *)a0;
    if (bad_address(b)) {
        return -B_EFAULT;
    }
    if ((uint32_t)a1 == 0 || kern_bell_owner(b) == NULL) {
        return -B_EINVAL;
    }
    kern_bell_ring(b, (uint32_t)a1);
    return 0;
}
