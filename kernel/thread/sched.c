/* SPDX-License-Identifier: MIT */
/* The scheduler of one core. Nobody but the core itself takes threads from its run queue; other
 * cores push into its inbox, a lock-free stack that the core empties as a whole. */
#include "sched.h"

#include <base/assert.h>
#include <base/config.h>
#include <hal/clock.h>
#include <hal/event.h>
#include <hal/work.h>
#include <kernel/ikc.h>
#include <kernel/task.h>

struct kern_thread *kern_caller(void)
{
    struct kern_core *core = kern_core();
    return core->caller ? core->caller : core->current;
}

void kern_nudge(struct kern_core *core)
{
    /* Pairs with rest(): the sleeper says that it sleeps before it looks once more, we look
     * whether it sleeps after we left something to find. Both are seq_cst, so one of us sees the
     * other. */
    if (atomic_load(&core->asleep))
        hal_event_notify(core->id);
}

void kern_ready(struct kern_thread *t)
{
    struct kern_core *core = t->core;
    if (core == kern_core() && !t->guest) {
        kern_append(core, t);
        return;
    }
    struct kern_thread *top = atomic_load_explicit(&core->inbox, memory_order_relaxed);
    do {
        t->next = top;
    } while (!atomic_compare_exchange_weak(&core->inbox, &top, t));
    kern_nudge(core);
}

/* A guest is next: only who goes through next_ready knows how to begin it. */
static void append(struct kern_core *core, struct kern_thread *t)
{
    if (!t->guest) {
        kern_append(core, t);
        return;
    }
    t->next = core->ready;
    if (!core->ready)
        core->ready_last = t;
    core->ready = t;
    core->turns = 1;
}

/* Moves the inbox, oldest first, to the end of the run queue. */
static void empty_inbox(struct kern_core *core)
{
    struct kern_thread *t = atomic_exchange_explicit(&core->inbox, NULL, memory_order_acquire);
    struct kern_thread *oldest = NULL;
    while (t) {
        struct kern_thread *older = t->next;
        t->next = oldest;
        oldest = t;
        t = older;
    }
    while (oldest) {
        struct kern_thread *newer = oldest->next;
        append(core, oldest);
        oldest = newer;
    }
}

/* What other cores made ready. */
static inline void collect(struct kern_core *core)
{
    if (atomic_load_explicit(&core->bells, memory_order_relaxed))
        kern_bells_collect(core);
    if (atomic_load_explicit(&core->inbox, memory_order_relaxed))
        empty_inbox(core);
}

bool kern_others_ready(struct kern_core *core)
{
    collect(core);
    return core->ready != NULL;
}

bool kern_poll(struct kern_core *core)
{
    bool found = kern_timer_expire(core);
    if (core->serves) {
        found |= kern_ikc_poll();
        found |= kern_serve(core);
    }
    found |= kern_task_poll(core);
    found |= core->watch && kern_watch_due(core);
    return found;
}

/* Takes the next ready thread, NULL if there is none. Threads that keep a core busy by waking each
 * other would hide timers and network from it, so every few turns it looks there first. */
static struct kern_thread *next_ready(struct kern_core *core)
{
    if (--core->turns == 0) {
        core->turns = core->cluster->poll_turns;
        kern_poll(core);
    }
    collect(core);
    struct kern_thread *t = core->ready;
    if (t)
        core->ready = t->next;
    return t;
}

/* True if the core has a reason not to sleep that leaves no latched event. */
static bool must_look(struct kern_core *core)
{
    struct cluster *c = core->cluster;
    return core->ready || atomic_load(&core->inbox) || atomic_load(&core->bells) ||
           atomic_load(&c->stopping) || (core->id == 0 && atomic_load(&c->requests) != 0) ||
           kern_task_waiting(core);
}

/* The instant at which the core must look again by itself. */
static uint64_t next_look(struct kern_core *core)
{
    uint64_t timer = core->timers ? core->timers->deadline : HAL_NEVER;
    uint64_t task = kern_task_due(core);
    return timer < task ? timer : task;
}

/* Whoever insists on going on keeps its core busy meanwhile. */
static void sleep_until(struct kern_core *core, uint64_t deadline, struct b_watch *w)
{
    if (!core->cluster->insists || !core->current) {
        hal_event_watch(deadline, w);
        return;
    }
    uint64_t now = hal_clock_cycles(), left = deadline > now ? deadline - now : 0;
    if (w)
        atomic_store(&w->asleep, 1);
    if (!w || !b_watch_due(w))
        hal_work_event(deadline == HAL_NEVER ? HAL_NEVER : left);
    if (w)
        atomic_store(&w->asleep, 0);
}

/* Nothing is ready: looks around once, then sleeps until an event or the earliest deadline. A watch
 * that is due although nobody waits for it must not keep the core awake. */
static void rest(struct kern_core *core)
{
    if (kern_poll(core))
        return;
    struct b_watch *w = core->watch;
    if (w && b_watch_due(w)) {
        if (kern_watch_due(core))
            return;
        w = NULL;
    }
    atomic_store(&core->asleep, true);
    if (!must_look(core)) {
        sleep_until(core, next_look(core), w);
        if (must_look(core))
            hal_work(core->cluster->machine->cost.ipi);
    }
    atomic_store(&core->asleep, false);
    if (w)
        kern_watch_due(core);
}

/* A guest begins in the idle context, which finds it as the current thread. */
static __attribute__((noinline)) void run_guest(struct kern_core *core, struct hal_context *from,
                                                struct kern_thread *to)
{
    kern_current_set(core, to);
    kern_charge(core->cluster->machine->cost.context_switch);
    if (from != &core->idle)
        hal_context_switch(from, &core->idle);
}

static inline void run(struct kern_core *core, struct hal_context *from, struct kern_thread *to)
{
    if (to->guest)
        run_guest(core, from, to);
    else
        kern_run(core, from, to, core->cluster->machine->cost.context_switch);
}

/* There is no other thread to run: t waits on its own stack, until it or another one is ready, or
 * the cluster stops (NULL). */
static struct kern_thread *wait_for_ready(struct kern_core *core, struct kern_thread *t)
{
    t->since = hal_clock_cycles();
    for (;;) {
        if (atomic_load(&core->cluster->stopping) && core->id != 0)
            return NULL;
        rest(core);
        struct kern_thread *next = next_ready(core);
        if (next)
            return next;
    }
}

/* Whoever switches back to t has taken it from the run queue. */
static __attribute__((noinline)) void block_slowly(struct kern_core *core, struct kern_thread *t)
{
    struct kern_thread *next = next_ready(core);
    if (!next)
        next = wait_for_ready(core, t);
    if (!next)
        kern_leave(core, t);
    else if (next != t)
        run(core, &t->context, next);
}

static __attribute__((noinline)) void block_until(struct kern_thread *t, uint64_t deadline)
{
    kern_timer_add(t->core, t, deadline);
    block_slowly(t->core, t);
    if (t->timed)
        kern_timer_remove(t->core, t);
}

/* Nothing of its own stays on the stack of who waits: it would be another line to fetch. */
void kern_block(struct kern_thread *t, uint64_t deadline)
{
    struct kern_core *core = t->core;
    b_assert(core == kern_core() && core->current == t);
    t->since = hal_clock_recent();
    if (deadline != HAL_NEVER) {
        block_until(t, deadline);
        return;
    }
    struct kern_thread *next = kern_ready_at_once(core);
    if (!next)
        block_slowly(core, t);
    else if (next != t)
        run(core, &t->context, next);
}

/* A loop of yields must let time pass, and others of the processor run. */
static bool nothing_found(struct kern_core *core, bool often)
{
    if (!kern_poll(core))
        core->wanted = hal_event_relax(!often);
    return !core->ready;
}

void kern_yield(struct kern_core *core, bool often)
{
    struct kern_thread *t = core->current;
    collect(core);
    if (!core->ready) {
        if (often && core->cluster->spins) {
            if (core->turns > 1) {
                core->turns--;
                return;
            }
            core->turns = core->wanted ? 1 : core->cluster->poll_turns;
        }
        if (nothing_found(core, often))
            return;
    }
    kern_append(core, t);
    struct kern_thread *next = next_ready(core);
    if (next != t)
        run(core, &t->context, next);
}

void kern_sleep(uint64_t cycles)
{
    struct kern_thread *t = kern_current();
    kern_arm(t);
    atomic_store_explicit(&t->asleep, "sleep", memory_order_relaxed);
    kern_block(t, kern_deadline(cycles));
    atomic_store_explicit(&t->asleep, NULL, memory_order_relaxed);
}

void kern_idle(struct kern_core *core)
{
    for (;;) {
        if (core->dead)
            kern_reap(core);
        struct kern_thread *t = next_ready(core);
        if (t) {
            run(core, &core->idle, t);
            if (core->current)
                kern_guest_begin(core);
            kern_current_set(core, NULL);
        } else if (atomic_load(&core->cluster->stopping)) {
            return;
        } else {
            rest(core);
        }
    }
}
