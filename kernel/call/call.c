/* SPDX-License-Identifier: MIT */
/* Kernel calls: the table, the gate, and the server of asymmetric machines.
 *
 * A master call of a core other than 0 is posted: the thread pushes itself on its core's stack of
 * requests, wakes core 0 if that sleeps, and waits; other threads of its core run meanwhile. Core 0
 * serves inside its polling, one call of each core in turn, so no core can starve another. */
#include <sys/k_call.h>

#include <base/error.h>
#include <hal/clock.h>
#include <hal/event.h>
#include <hal/work.h>
#include <kernel/call.h>
#include <kernel/cluster.h>

#include "../thread/sched.h"
#include "gate.h"

_Static_assert(sizeof(long) >= sizeof(void *), "an argument holds an address");

enum call_class { CALL_user, CALL_local, CALL_master, CALL_flow };

static long (*const run[K_CALLS])(long a0, long a1, long a2, long a3, long a4) = {
#define K_CALL(name, class, arguments) kern_sys_##name,
#include <sys/syscalls.def>
#undef K_CALL
};
static const uint8_t class_of[K_CALLS] = {
#define K_CALL(name, class, arguments) CALL_##class,
#include <sys/syscalls.def>
#undef K_CALL
};

/* For reports, of what a thread may wait for: the master's. */
#define SHOWN_user(name)   ""
#define SHOWN_local(name)  ""
#define SHOWN_master(name) name
#define SHOWN_flow(name)   name
static const struct names {
#define K_CALL(name, class, arguments) char name[sizeof SHOWN_##class(#name)];
#include <sys/syscalls.def>
#undef K_CALL
} names = {
#define K_CALL(name, class, arguments) SHOWN_##class(#name),
#include <sys/syscalls.def>
#undef K_CALL
};
static const uint16_t name_of[K_CALLS] = {
#define K_CALL(name, class, arguments) offsetof(struct names, name),
#include <sys/syscalls.def>
#undef K_CALL
};

/* A posted call; it lies on the stack of the thread that waits for it. */
struct kern_request {
    long number;
    long args[5];
    long result;
};

/* The calling thread posts its call to core 0 and waits for the result. */
static long post(struct kern_core *core, int number, long a0, long a1, long a2, long a3, long a4)
{
    struct kern_thread *t = core->current;
    if (!t)
        return -B_EPERM;
    struct kern_request request = {.number = number, .args = {a0, a1, a2, a3, a4}};
    t->request = &request;
    kern_arm(t);
    const char *name = (const char *)&names + name_of[number];
    atomic_store_explicit(&t->asleep, name, memory_order_relaxed);
    struct kern_thread *top = atomic_load_explicit(&core->requests, memory_order_relaxed);
    do {
        t->next = top;
    } while (!atomic_compare_exchange_weak(&core->requests, &top, t));
    atomic_fetch_add(&core->cluster->requests, 1);
    kern_nudge(&core->cluster->core[0]);
    kern_block(t, HAL_NEVER);
    atomic_store_explicit(&t->asleep, NULL, memory_order_relaxed);
    return request.result;
}

/* The oldest request of core `from`; newer ones that were taken along wait in from->serving. */
static struct kern_thread *take(struct kern_core *from)
{
    if (!from->serving) {
        struct kern_thread *t =
            atomic_exchange_explicit(&from->requests, NULL, memory_order_acquire);
        while (t) {
            struct kern_thread *older = t->next;
            t->next = from->serving;
            from->serving = t;
            t = older;
        }
    }
    struct kern_thread *t = from->serving;
    if (t)
        from->serving = t->next;
    return t;
}

bool kern_serve(struct kern_core *core)
{
    struct cluster *c = core->cluster;
    if (core->id != 0 || atomic_load_explicit(&c->requests, memory_order_relaxed) == 0)
        return false;
    bool served = false;
    for (int i = 1; i < c->cores; i++) {
        struct kern_thread *t = take(&c->core[i]);
        if (!t)
            continue;
        atomic_fetch_sub(&c->requests, 1);
        struct kern_request *r = t->request;
        core->caller = t;
        const long *a = r->args;
        r->result = run[r->number](a[0], a[1], a[2], a[3], a[4]);
        core->caller = NULL;
        hal_work(c->machine->cost.wakeup);
        kern_claim(t, KERN_CLAIM_WOKEN);
        kern_ready(t);
        served = true;
    }
    if (!served)
        hal_event_relax(true); /* served before its caller has counted it, whom others may delay */
    return served;
}

static bool by_master(const struct cluster *c, int number)
{
    return class_of[number] == CALL_master ||
           (class_of[number] == CALL_flow && c->machine->variant == HAL_BASELINE);
}

/* Not part of k_call, whose frame each call would pay for, and with no more arguments than there
 * are registers. */
long kern_enter(int number, long a0, long a1, long a2, long a3, long a4)
{
    struct kern_core *core = kern_core();
    kern_charge(core->cluster->machine->cost.kernel_call);
    if (core->cluster->asymmetric && core->id != 0 && by_master(core->cluster, number))
        return post(core, number, a0, a1, a2, a3, a4);
    return run[number](a0, a1, a2, a3, a4);
}

long k_call(int number, long a0, long a1, long a2, long a3, long a4)
{
    struct cluster *c = kern_cluster();
    if (!c) {
        /* No cluster was booted here: such a process can only end. */
        return number == K_NR_abort ? kern_sys_abort(a0, a1, a2, a3, a4) : -B_EPERM;
    }
    if (number < 0 || number >= K_CALLS)
        return -B_ENOSYS;
    /* To abort takes no time: a thread of the host may ask that is no core, and has none. */
    if (c->gated && class_of[number] != CALL_user && number != K_NR_abort)
        return kern_enter(number, a0, a1, a2, a3, a4);
    return run[number](a0, a1, a2, a3, a4);
}
