/* SPDX-License-Identifier: MIT */
/* Crowds: docs/kernel.md. Who waits is in a list that is linked as the run queue is, so that a
 * release moves all of it there at once and touches only its ends. The released do not hear of it
 * one by one: that the count of releases moved tells that a thread is in the list no more. */
#include <sys/k_crowd.h>

#include "../call/gate.h"
#include "../call/user.h"
#include "sched.h"

#include <base/assert.h>
#include <base/error.h>
#include <hal/clock.h>
#include <kernel/call.h>

static inline void join(struct k_crowd *c, struct kern_thread *t)
{
    struct kern_thread *last = c->last;
    b_assert((!c->first) == (!last) && last != t);
    t->wait_prev = last;
    if (last)
        last->next = t;
    else
        c->first = t;
    c->last = t;
}

static inline void queue(struct k_crowd *c, struct k_bell *b, struct kern_thread *t)
{
    join(c, t);
    b->crowd = c;
    b->releases = c->releases;
    b->waiting = K_BELL_WAITS_CROWD;
    atomic_store_explicit(&t->bell, b, memory_order_relaxed);
}

static inline void unqueue(struct k_bell *b, struct kern_thread *t)
{
    atomic_store_explicit(&t->bell, NULL, memory_order_relaxed);
    b->waiting = K_BELL_AWAKE;
}

bool kern_crowd_leave(struct k_bell *b, struct kern_thread *t)
{
    struct k_crowd *c = b->crowd;
    if (c->releases != b->releases)
        return false;
    struct kern_thread *before = t->wait_prev, *after = t == c->last ? NULL : t->next;
    if (before)
        before->next = after;
    else
        c->first = after;
    if (after)
        after->wait_prev = before;
    else
        c->last = before;
    return true;
}

static bool bad_address(const struct k_crowd *c, const struct k_bell *b)
{
    return !c || (uintptr_t)c % _Alignof(struct k_crowd) != 0 ||
           (uintptr_t)b % _Alignof(struct k_bell) != 0;
}

/* Until it waits no other thread of the core runs, so no release is missed; what is rung on other
 * cores is looked at before the core runs another thread or sleeps. */
static int wait(struct k_crowd *c, struct k_bell *b, struct kern_thread *t)
{
    if (!t || atomic_load_explicit(&b->thread, memory_order_relaxed) != t)
        return -B_EPERM;
    const struct kern_user *user = t->core->cluster->user;
    if (user)
        return user->wait(t, b, K_FOREVER, c);
    if (atomic_load_explicit(&b->far, memory_order_relaxed) != 0)
        kern_bells_collect(t->core);
    if (b->rung != 0)
        return 0;
    queue(c, b, t);
    kern_block(t, HAL_NEVER);
    unqueue(b, t);
    return 0;
}

static int release(struct k_crowd *c, struct kern_core *core)
{
    const struct kern_user *user = core->cluster->user;
    if (user)
        return user->release(core, c);
    struct kern_thread *first = c->first;
    if (first && first->core != core)
        return -B_EPERM;
    c->releases++;
    if (first) {
        kern_charge(core->cluster->machine->cost.wakeup);
        kern_ready_all(core, first, c->last);
        c->first = c->last = NULL;
    }
    return 0;
}

long kern_sys_crowd(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    struct k_crowd *c = (struct k_crowd *)a0;
    struct k_bell *b = (struct k_bell *)a1;
    if (bad_address(c, b))
        return -B_EFAULT;
    return b ? wait(c, b, kern_current()) : release(c, kern_core());
}

/* What almost each rank does in a meeting, in few instructions: a wait of an owner who was not
 * rung, while another thread is ready. False: it is not that, and nothing happened. */
static inline bool wait_quickly(struct k_crowd *c, struct k_bell *b)
{
    struct kern_thread *t = kern_current_quickly();
    if (!t || bad_address(c, b) || !b || !t->core->cluster->plain ||
        atomic_load_explicit(&b->thread, memory_order_relaxed) != t)
        return false;
    struct kern_core *core = t->core;
    struct kern_thread *next = kern_ready_instead(core, b);
    if (!next)
        return false;
    queue(c, b, t);
    t->since = hal_clock_recent();
    kern_run(core, &t->context, next, 0);
    unqueue(b, t);
    return true;
}

static __attribute__((noinline)) int wait_called(struct k_crowd *c, struct k_bell *b)
{
    struct cluster *here = kern_cluster();
    if (!here)
        return -B_EPERM;
    if (bad_address(c, b) || !b)
        return -B_EFAULT;
    struct kern_core *core = &here->core[hal_core()];
    if (here->gated)
        return (int)kern_enter(K_NR_crowd, (long)c, (long)b, 0, 0, 0);
    return wait(c, b, core->current);
}

int k_crowd_wait(struct k_crowd *c, struct k_bell *b)
{
    return wait_quickly(c, b) ? 0 : wait_called(c, b);
}

int k_crowd_release(struct k_crowd *c)
{
    struct cluster *here = kern_cluster();
    if (!here || bad_address(c, NULL))
        return here ? -B_EFAULT : -B_EPERM;
    struct kern_core *core = &here->core[hal_core()];
    if (here->gated)
        return (int)kern_enter(K_NR_crowd, (long)c, 0, 0, 0, 0);
    return release(c, core);
}
