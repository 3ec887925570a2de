/* SPDX-License-Identifier: MIT */
/* Bells: docs/kernel.md has the protocol. A ring on the owner's core is plain memory; one from
 * another core adds its bits to `far`, and if it is the first there, puts the bell into the inbox
 * of the owner's core, which takes bells out (kern_bells_collect) before it runs the next thread or
 * sleeps. */
#include "../call/gate.h"
#include "../call/user.h"
#include "sched.h"

#include <base/error.h>
#include <hal/clock.h>
#include <hal/work.h>
#include <kernel/call.h>
#include <kernel/ikc.h>
#include <sys/k_bell.h>

struct kern_thread *kern_bell_owner(struct k_bell *b)
{
    return atomic_load_explicit(&b->thread, memory_order_acquire);
}

/* On the owner's core. A thread that timed out is ready already, and so is one whose crowd was
 * released. */
static inline void rung(struct kern_thread *t, struct k_bell *b, uint32_t bits)
{
    enum k_bell_wait how = b->waiting;
    b->rung |= bits;
    b->waiting = K_BELL_AWAKE;
    if (how == K_BELL_WAITS || (how == K_BELL_WAITS_CROWD && kern_crowd_leave(b, t)) ||
        (how == K_BELL_WAITS_TIMED && kern_claim(t, KERN_CLAIM_WOKEN)))
        kern_append(t->core, t);
}

static void push(struct kern_core *core, struct k_bell *b)
{
    struct k_bell *top = atomic_load_explicit(&core->bells, memory_order_relaxed);
    do {
        b->next = top;
    } while (!atomic_compare_exchange_weak(&core->bells, &top, b));
    kern_nudge(core);
}

static void ring_far(struct kern_core *core, struct k_bell *b, uint32_t bits)
{
    if (atomic_fetch_or(&b->far, bits) == 0) {
        kern_charge(core->cluster->machine->cost.wakeup);
        push(core, b);
    }
}

/* From core `here` for thread t. */
static inline void ring(struct kern_core *here, struct kern_thread *t, struct k_bell *b,
                        uint32_t bits)
{
    if (t->core != here) {
        ring_far(t->core, b, bits);
        return;
    }
    if (b->waiting)
        kern_charge(here->cluster->machine->cost.wakeup);
    rung(t, b, bits);
}

void kern_bell_ring(struct k_bell *b, uint32_t bits)
{
    struct kern_core *core = kern_core();
    const struct kern_user *user = core->cluster->user;
    if (user)
        user->ring(core->cluster, b, bits);
    else
        ring(core, kern_bell_owner(b), b, bits);
}

/* From the exchange on others may push the bell again, so its link is read first. */
void kern_bells_collect(struct kern_core *core)
{
    struct k_bell *b = atomic_exchange_explicit(&core->bells, NULL, memory_order_acquire);
    struct k_bell *oldest = NULL;
    while (b) {
        struct k_bell *older = b->next;
        b->next = oldest;
        oldest = b;
        b = older;
    }
    while (oldest) {
        struct k_bell *newer = oldest->next;
        rung(kern_bell_owner(oldest), oldest, atomic_exchange(&oldest->far, 0));
        oldest = newer;
    }
}

/* The bell by which the calling core's thread t waits, if it heeds the watch. */
static struct k_bell *watcher(const struct kern_thread *t)
{
    struct k_bell *b =
        t ? (struct k_bell *)atomic_load_explicit(&t->bell, memory_order_relaxed) : NULL;
    return b && b->watches && b->waiting ? b : NULL;
}

/* Mostly the thread that waited last does, on whose stack the core rests: no switch to another. */
bool kern_watch_due(struct kern_core *core)
{
    if (!b_watch_due(core->watch))
        return false;
    struct k_bell *b = watcher(core->current);
    for (struct k_bell *w = core->watchers; !b && w; w = w->watcher)
        b = w->waiting ? w : NULL;
    if (b)
        rung(kern_bell_owner(b), b, K_BELL_WATCH);
    return b != NULL;
}

static bool bad_address(const struct k_bell *b)
{
    return !b || (uintptr_t)b % _Alignof(struct k_bell) != 0;
}

int kern_bell_check(struct k_bell *b)
{
    return !b ? 0 : bad_address(b) ? -B_EFAULT : kern_bell_owner(b) ? 0 : -B_EINVAL;
}

/* A bell that is initialised once more may be among the core's watchers. */
static void watch(struct k_bell *b, struct kern_core *core, struct b_watch *w)
{
    struct k_bell **at = &core->watchers;
    while (*at && *at != b)
        at = &(*at)->watcher;
    if (!*at) {
        *at = b;
        b->watcher = NULL;
    }
    core->watch = w;
}

long kern_sys_bell_init(long a0, long a1, long a2, long a3, long a4)
{
    (void)a3, (void)a4;
    struct k_bell *b = (struct k_bell *)a0;
    struct b_watch *w = (struct b_watch *)a2;
    struct kern_thread *t = kern_current();
    if (bad_address(b) || (uintptr_t)w % _Alignof(struct b_watch) != 0)
        return -B_EFAULT;
    if (!t)
        return -B_EPERM;
    if (w && t->core->watch && t->core->watch != w)
        return -B_EINVAL;
    if (w)
        watch(b, t->core, w);
    b->rung = 0;
    b->waiting = K_BELL_AWAKE;
    b->watches = w != NULL;
    b->what = (const char *)a1;
    b->describe = NULL;
    b->tasks_last = NULL;
    atomic_store_explicit(&b->tasks, NULL, memory_order_relaxed);
    atomic_store_explicit(&b->far, 0, memory_order_relaxed);
    atomic_store_explicit(&b->thread, t, memory_order_release);
    return 0;
}

/* The bell's owner waits: its core's inbox is looked at before it sleeps (kern_block). */
static inline long block(struct k_bell *b, struct kern_thread *t, uint64_t timeout)
{
    uint64_t deadline = HAL_NEVER;
    b->waiting = K_BELL_WAITS;
    if (timeout != K_FOREVER) {
        b->waiting = K_BELL_WAITS_TIMED;
        kern_arm(t);
        deadline = kern_deadline(timeout);
    }
    atomic_store_explicit(&t->bell, b, memory_order_relaxed);
    kern_block(t, deadline);
    atomic_store_explicit(&t->bell, NULL, memory_order_relaxed);
    b->waiting = K_BELL_AWAKE;
    return b->rung != 0 ? 0 : -B_ETIMEDOUT;
}

static inline long wait(struct kern_core *core, struct k_bell *b, uint64_t timeout)
{
    struct kern_thread *t = core->current;
    if (bad_address(b))
        return -B_EFAULT;
    if (!t || kern_bell_owner(b) != t)
        return -B_EPERM;
    const struct kern_user *user = core->cluster->user;
    if (user)
        return user->wait(t, b, timeout, NULL);
    if (atomic_load_explicit(&b->far, memory_order_relaxed) != 0)
        kern_bells_collect(core);
    if (b->rung != 0)
        return 0;
    return timeout == 0 ? -B_ETIMEDOUT : block(b, t, timeout);
}

/* What almost each message between threads of a core does, in few instructions: the wait of an
 * owner who was not rung, while another thread is ready; and the ring of one who waits so. False:
 * it is not that, and nothing happened. */
static inline bool wait_quickly(const struct cluster *c, struct k_bell *b, uint64_t timeout)
{
    if (!c->plain || bad_address(b) || timeout != K_FOREVER)
        return false;
    struct kern_thread *t = kern_bell_owner(b);
    struct kern_core *core = t ? t->core : NULL;
    if (!core || core->id != hal_core() || core->current != t)
        return false;
    struct kern_thread *next = kern_ready_instead(core, b);
    if (!next)
        return false;
    b->waiting = K_BELL_WAITS;
    atomic_store_explicit(&t->bell, b, memory_order_relaxed);
    t->since = hal_clock_recent();
    kern_run(core, &t->context, next, 0);
    atomic_store_explicit(&t->bell, NULL, memory_order_relaxed);
    return true;
}

static inline bool ring_quickly(const struct cluster *c, struct k_bell *b, uint32_t bits)
{
    if (!c->plain || bad_address(b))
        return false;
    struct kern_thread *t = kern_bell_owner(b);
    if (!t || t->core->id != hal_core() || b->waiting != K_BELL_WAITS || bits == 0)
        return false;
    b->rung |= bits;
    b->waiting = K_BELL_AWAKE;
    kern_append(t->core, t);
    return true;
}

long kern_sys_bell_wait(long a0, long a1, long a2, long a3, long a4)
{
    (void)a3, (void)a4;
    struct k_bell *b = (struct k_bell *)a0;
    struct kern_core *core = kern_core();
    uint64_t timeout = k_wide(a1, a2);
    if (!core->cluster->insists)
        return wait(core, b, timeout);
    long r = wait(core, b, 0);
    while (r == -B_ETIMEDOUT && timeout == K_FOREVER && !kern_ikc_before_bell(b))
        r = wait(core, b, 0);
    r = r == -B_ETIMEDOUT ? wait(core, b, timeout) : r;
    kern_ikc_after_bell();
    return r;
}

static __attribute__((noinline)) int wait_called(struct cluster *c, struct k_bell *b,
                                                 uint64_t timeout)
{
    struct kern_core *core = &c->core[hal_core()];
    if (c->gated)
        return (int)kern_enter(K_NR_bell_wait, (long)b, (long)timeout, k_high(timeout), 0, 0);
    return (int)wait(core, b, timeout);
}

int k_bell_wait(struct k_bell *b, uint64_t timeout)
{
    struct cluster *c = kern_cluster();
    if (!c)
        return -B_EPERM;
    return wait_quickly(c, b, timeout) ? 0 : wait_called(c, b, timeout);
}

/* Like rest() in sched.c: the core says that it sleeps, so that who rings elsewhere raises its
 * event. What comes on the way, interrupts of the network among it, is seen to at once; threads of
 * the core do not run, because it is busy. */
static uint64_t work(struct k_bell *b, struct kern_core *core, uint64_t left)
{
    struct b_watch *w = b->watches ? core->watch : NULL;
    kern_bells_collect(core);
    while (left > 0 && b->rung == 0 && (!w || !b_watch_due(w))) {
        atomic_store(&core->asleep, true);
        if (w)
            atomic_store(&w->asleep, 1);
        if (!atomic_load(&core->bells) && (!w || !b_watch_due(w)))
            left = hal_work_event(left);
        if (w)
            atomic_store(&w->asleep, 0);
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
    (void)a3;
    struct k_bell *b = (struct k_bell *)a1;
    struct kern_core *core = kern_core();
    uint64_t cycles = k_wide(a0, a2);
    if (!bad_address(b) && core->current && kern_bell_owner(b) == core->current) {
        const struct kern_user *user = core->cluster->user;
        bool rung = user && user->rung(b);
        return kern_answer(rung ? cycles : work(b, core, cycles), a4);
    }
    hal_work(cycles);
    return kern_answer(0, a4);
}

static inline long ring_checked(struct kern_core *here, struct k_bell *b, uint32_t bits)
{
    if (bad_address(b))
        return -B_EFAULT;
    struct kern_thread *t = kern_bell_owner(b);
    if (bits == 0 || !t)
        return -B_EINVAL;
    const struct kern_user *user = here->cluster->user;
    if (user)
        return user->ring(here->cluster, b, bits);
    ring(here, t, b, bits);
    return 0;
}

long kern_sys_bell_ring(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    return ring_checked(kern_core(), (struct k_bell *)a0, (uint32_t)a1);
}

static __attribute__((noinline)) int ring_called(struct cluster *c, struct k_bell *b, uint32_t bits)
{
    struct kern_core *core = &c->core[hal_core()];
    if (c->gated)
        return (int)kern_enter(K_NR_bell_ring, (long)b, (long)bits, 0, 0, 0);
    return (int)ring_checked(core, b, bits);
}

int k_bell_ring(struct k_bell *b, uint32_t bits)
{
    struct cluster *c = kern_cluster();
    if (!c)
        return -B_EPERM;
    return ring_quickly(c, b, bits) ? 0 : ring_called(c, b, bits);
}
