/* SPDX-License-Identifier: MIT */
/* Bells and crowds of a program in user mode. They lie in memory that the program writes, so of
 * what stands there only one thing is used, the owner, and that only if it is a thread: a ring adds
 * bits, and the owner takes them. Who waits, for which bell and in which crowd, stands in the
 * thread, and all of it is looked at under one lock, as its cores run at the same time. */
#include <sys/k_crowd.h>

#include "../call/user.h"
#include "sched.h"

#include <base/error.h>
#include <hal/clock.h>

static bool rung(struct k_bell *b)
{
    b->rung |= atomic_exchange(&b->far, 0);
    return b->rung != 0;
}

bool kern_user_bell_rung(struct k_bell *b)
{
    return rung(b);
}

/* With the lock held. One that timed out, or was woken, wakes by itself. */
static void wake(struct kern_thread *t)
{
    if (kern_claim(t, KERN_CLAIM_WOKEN)) {
        kern_charge(t->core->cluster->machine->cost.wakeup);
        kern_ready(t);
    }
}

int kern_user_bell_ring(struct cluster *c, struct k_bell *b, uint32_t bits)
{
    struct kern_thread *t = kern_bell_owner(b);
    if (!kern_is_thread(c, t))
        return -B_EINVAL;
    hal_lock(&c->queues);
    atomic_fetch_or(&b->far, bits);
    if (atomic_load_explicit(&t->bell, memory_order_relaxed) == b)
        wake(t);
    hal_unlock(&c->queues);
    return 0;
}

/* Where a crowd's thread stands in the list of all that are in crowds, in the order of coming. */
static struct kern_thread **place(struct cluster *c, const struct kern_thread *t)
{
    struct kern_thread **at = &c->crowds;
    while (*at != t && *at)
        at = &(*at)->wait_next;
    return at;
}

static void join(struct cluster *c, struct kern_thread *t, const struct k_crowd *crowd)
{
    t->crowd = crowd;
    t->wait_next = NULL;
    *place(c, NULL) = t;
}

static void leave(struct cluster *c, struct kern_thread *t)
{
    struct kern_thread **at = place(c, t);
    if (*at)
        *at = t->wait_next;
}

int kern_user_bell_wait(struct kern_thread *t, struct k_bell *b, uint64_t timeout,
                        const struct k_crowd *crowd)
{
    struct cluster *c = t->core->cluster;
    uint64_t deadline = timeout == K_FOREVER ? HAL_NEVER : kern_deadline(timeout);
    hal_lock(&c->queues);
    if (rung(b) || timeout == 0) {
        hal_unlock(&c->queues);
        return rung(b) ? 0 : -B_ETIMEDOUT;
    }
    kern_arm(t);
    atomic_store_explicit(&t->bell, b, memory_order_relaxed);
    if (crowd)
        join(c, t, crowd);
    hal_unlock(&c->queues);
    kern_block(t, deadline);
    hal_lock(&c->queues);
    atomic_store_explicit(&t->bell, NULL, memory_order_relaxed);
    if (crowd)
        leave(c, t);
    hal_unlock(&c->queues);
    return rung(b) || crowd ? 0 : -B_ETIMEDOUT;
}

int kern_user_crowd_release(struct kern_core *core, const struct k_crowd *crowd)
{
    struct cluster *c = core->cluster;
    int error = 0;
    hal_lock(&c->queues);
    for (struct kern_thread **at = &c->crowds; *at;) {
        struct kern_thread *t = *at;
        bool here = t->crowd == crowd && t->core == core;
        error = t->crowd == crowd && !here ? -B_EPERM : error;
        if (here) {
            *at = t->wait_next;
            wake(t);
        } else {
            at = &t->wait_next;
        }
    }
    hal_unlock(&c->queues);
    return error;
}
