/* SPDX-License-Identifier: MIT */
/* Wait queues. A thread is in the queue while the queue's lock is held by anybody but its own
 * wait; a waker takes it out and then must win its claim against the timer. docs/kernel.md has
 * the proof. */
#include "sched.h"

#include <limits.h>

#include <base/assert.h>
#include <base/error.h>
#include <hal/clock.h>
#include <hal/event.h>
#include <hal/work.h>
#include <kernel/call.h>
#include <sys/k_wait.h>

static void put(void **head, void **tail, struct kern_thread *t)
{
    b_assert(!t->queued);
    t->wait_next = NULL;
    t->wait_prev = *tail;
    if (*tail)
        ((struct kern_thread *)*tail)->wait_next = t;
    else
        *head = t;
    *tail = t;
    t->queued = true;
}

static void take(void **head, void **tail, struct kern_thread *t)
{
    b_assert(t->queued && *head && *tail);
    if (t->wait_prev)
        t->wait_prev->wait_next = t->wait_next;
    else
        *head = t->wait_next;
    if (t->wait_next)
        t->wait_next->wait_prev = t->wait_prev;
    else
        *tail = t->wait_prev;
    t->queued = false;
}

/* Under the queue's lock. A thread that timed out but did not get to leave the queue yet is
 * taken out and not counted. */
static int wake(void **head, void **tail, int n)
{
    int woken = 0;
    while (woken < n && *head) {
        struct kern_thread *t = *head;
        take(head, tail, t);
        if (kern_claim(t, KERN_CLAIM_WOKEN)) {
            hal_work(kern_cluster()->machine->cost.wakeup);
            kern_ready(t);
            woken++;
        }
    }
    return woken;
}

void kern_wait_init(struct kern_wait *w, struct hal_lock *lock, const char *what)
{
    *w = (struct kern_wait){.lock = lock, .what = what};
}

int kern_wait_on(struct kern_wait *w, uint64_t timeout)
{
    struct kern_thread *t = kern_current();
    if (timeout == 0) {
        hal_unlock(w->lock);
        return -B_ETIMEDOUT;
    }
    uint64_t deadline = timeout == K_FOREVER ? HAL_NEVER : kern_deadline(timeout);
    kern_arm(t);
    put(&w->head, &w->tail, t);
    atomic_store_explicit(&t->waits, w, memory_order_relaxed);
    hal_unlock(w->lock);
    kern_block(t, deadline);
    atomic_store_explicit(&t->waits, NULL, memory_order_relaxed);
    if (!kern_timed_out(t))
        return 0;
    hal_lock(w->lock);
    if (t->queued)
        take(&w->head, &w->tail, t);
    hal_unlock(w->lock);
    return -B_ETIMEDOUT;
}

int kern_wake(struct kern_wait *w, int n)
{
    return wake(&w->head, &w->tail, n);
}

/* The kernel's way to a program's lock word, also with a hal_lock held, so without sleeping: the
 * holder of the word needs none of our locks while it holds it. */
static void word_lock(struct k_wait *w)
{
    while (!k_wait_trylock(w)) {
        hal_event_relax(true);
        hal_work(16);
    }
}

static bool bad_address(const struct k_wait *w)
{
    return !w || (uintptr_t)w % _Alignof(struct k_wait) != 0;
}

static bool is_free(const struct k_wait *w)
{
    return __atomic_load_n(&w->lock, __ATOMIC_RELAXED) == 0;
}

/* The ends of a program's queue, taken out of its memory.
 *
 * Where threads run in user mode nothing that the program can write is believed: the word does not
 * keep its other threads out, so a lock of the kernel does, and an end of a queue must be a thread
 * that waits there. What lies between the ends is the kernel's own. So a program that writes its
 * queues loses threads in them, and nothing else. */
struct ends {
    void *head, *tail;
};

static struct ends ends_take(struct cluster *c, const struct k_wait *w)
{
    if (c->user)
        hal_lock(&c->queues);
    return (struct ends){__atomic_load_n(&w->head, __ATOMIC_RELAXED),
                         __atomic_load_n(&w->tail, __ATOMIC_RELAXED)};
}

static void ends_put(struct cluster *c, struct k_wait *w, const struct ends *e)
{
    w->head = e->head;
    w->tail = e->tail;
    if (c->user)
        hal_unlock(&c->queues);
}

static bool waits_in(const struct cluster *c, const struct kern_thread *t, const struct k_wait *w)
{
    return kern_is_thread(c, t) && t->queued &&
           atomic_load_explicit(&t->user_waits, memory_order_relaxed) == w;
}

static bool sound(const struct cluster *c, const struct k_wait *w, const struct ends *e)
{
    const struct kern_thread *head = e->head, *tail = e->tail;
    if (!c->user || (!head && !tail))
        return true;
    return waits_in(c, head, w) && !head->wait_prev && waits_in(c, tail, w) && !tail->wait_next;
}

/* The calling thread timed out, and leaves the queue if no waker took it out. */
static void leave(struct cluster *c, struct k_wait *w, struct kern_thread *t)
{
    if (!c->user)
        word_lock(w);
    struct ends e = ends_take(c, w);
    if (t->queued)
        take(&e.head, &e.tail, t);
    ends_put(c, w, &e);
    if (!c->user)
        k_wait_unlock(w);
}

static int wait_in(struct cluster *c, struct k_wait *w, struct kern_thread *t, uint64_t timeout)
{
    uint64_t deadline = timeout == K_FOREVER ? HAL_NEVER : kern_deadline(timeout);
    struct ends e = ends_take(c, w);
    bool good = sound(c, w, &e);
    if (good) {
        kern_arm(t);
        put(&e.head, &e.tail, t);
        atomic_store_explicit(&t->user_waits, w, memory_order_relaxed);
    }
    ends_put(c, w, &e);
    k_wait_unlock(w);
    if (!good)
        return -B_EFAULT;
    kern_block(t, deadline);
    bool late = kern_timed_out(t);
    if (late)
        leave(c, w, t);
    atomic_store_explicit(&t->user_waits, NULL, memory_order_relaxed);
    return late ? -B_ETIMEDOUT : 0;
}

long kern_sys_wait_on(long a0, long a1, long a2, long a3, long a4)
{
    (void)a3, (void)a4;
    struct k_wait *w = (struct k_wait *)a0;
    struct kern_thread *t = kern_current();
    uint64_t timeout = k_wide(a1, a2);
    if (bad_address(w))
        return -B_EFAULT;
    if (is_free(w))
        return -B_EPERM;
    if (!t || timeout == 0) {
        k_wait_unlock(w);
        return t ? -B_ETIMEDOUT : -B_EPERM;
    }
    return wait_in(kern_cluster(), w, t, timeout);
}

long kern_sys_wake(long a0, long a1, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    struct k_wait *w = (struct k_wait *)a0;
    struct cluster *c = kern_cluster();
    if (bad_address(w))
        return -B_EFAULT;
    if (a1 < 0)
        return -B_EINVAL;
    if (is_free(w))
        return -B_EPERM;
    struct ends e = ends_take(c, w);
    int n = sound(c, w, &e) ? wake(&e.head, &e.tail, a1 > INT_MAX ? INT_MAX : (int)a1) : -B_EFAULT;
    ends_put(c, w, &e);
    return n;
}

/* How many tries of a program's lock are answered by a pause before the core sleeps a little: on a
 * machine with fewer processors than cores the holder may not be running at all. */
enum { PAUSES = 100, PAUSE_CYCLES_MAX = 256, NAP_NS = 20000 };

long kern_sys_relax(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct kern_core *core = kern_core();
    hal_event_relax(true);
    if (a0 < PAUSES) {
        hal_work(a0 < 0 ? 16 : a0 < 4 ? 16u << a0 : PAUSE_CYCLES_MAX);
        return 0;
    }
    if (core->cluster->user && core->current && kern_others_ready(core)) {
        /* The holder may be of this core: a tick came over it, or core 0 has served its call. */
        kern_yield(core, false);
        return 0;
    }
    hal_event_wait(kern_deadline(NAP_NS * (hal_clock_hz() / 1000) / 1000000));
    /* An event of the network that this nap swallowed goes to a core that can use it. */
    for (int i = 0; i < core->cluster->cores; i++) {
        struct kern_core *other = &core->cluster->core[i];
        if (other->serves && atomic_load(&other->asleep)) {
            hal_event_notify(i);
            break;
        }
    }
    return 0;
}
