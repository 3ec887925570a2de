/* SPDX-License-Identifier: MIT */
/* The latched event of each core, and which cores hear the network. */
#include <hal/event.h>

#include <base/error.h>
#include <hal/clock.h>
#include <hal/work.h>

#include "sim.h"

static void timer_fired(void *arg);

/* An event or its deadline ends what the core does. */
static bool heeds(const struct sim_core *c)
{
    return c->state == SIM_WAITING || c->state == SIM_HEEDING;
}

/* A core has at most one useful timer event queued, the earliest; others are left to fire and find
 * nothing to do, which is cheaper than taking them out of the heap. */
static void timer_arm(struct sim_core *c)
{
    if (c->deadline < c->timer) {
        c->timer = c->deadline;
        sim_at(c->timer, timer_fired, c);
    }
}

static void timer_fired(void *arg)
{
    struct sim_core *c = arg;
    if (c->timer == sim.now)
        c->timer = HAL_NEVER;
    if (!heeds(c))
        return;
    if (c->deadline <= sim.now)
        sim_wake(c);
    else
        timer_arm(c);
}

void hal_event_wait(uint64_t deadline)
{
    struct sim_core *me = sim.core;
    sim_poll();
    if (!me->raised && deadline > sim.now) {
        me->deadline = deadline;
        timer_arm(me);
        sim_block(SIM_WAITING);
    }
    me->raised = false;
}

void hal_event_watch(uint64_t deadline, struct b_watch *w)
{
    if (!w) {
        hal_event_wait(deadline);
    } else if (!b_watch_due(w)) {
        atomic_store(&w->asleep, 1);
        hal_event_wait(deadline);
        atomic_store(&w->asleep, 0);
    }
}

/* Where nobody has anything to do meanwhile, all is left as if the timer had fired and the core had
 * been woken: the numbers of these two events are used up, as a seed orders by numbers. */
static void heed(struct sim_core *me, uint64_t cycles, uint64_t end)
{
    if (sim_passes(cycles)) {
        me->timer = HAL_NEVER;
        sim_events_skip(2);
        return;
    }
    me->deadline = end;
    timer_arm(me);
    sim_block(SIM_HEEDING);
}

uint64_t hal_work_event(uint64_t cycles)
{
    struct sim_core *me = sim.core;
    sim_poll();
    uint64_t from = sim.now, end = cycles < HAL_NEVER - from ? from + cycles : HAL_NEVER;
    if (!me->raised && cycles > 0)
        heed(me, cycles, end);
    me->raised = false;
    return end - sim.now;
}

void sim_raise(struct sim_core *c)
{
    c->raised = true;
    if (heeds(c))
        sim_wake(c);
}

void hal_event_notify(int core)
{
    struct sim_cluster *cl = sim_cluster();
    if (core >= 0 && core < cl->core_count)
        sim_raise(&cl->cores[core]);
}

int hal_event_noc(uint64_t cores)
{
    struct sim_cluster *cl = sim_cluster();
    uint64_t there = cl->core_count >= 64 ? UINT64_MAX : (UINT64_C(1) << cl->core_count) - 1;
    if (cores == 0 || (cores & ~there) != 0)
        return -B_EINVAL;
    cl->noc_cores = cores;
    return 0;
}

void sim_raise_noc(struct sim_cluster *cl)
{
    if (cl->ended)
        return;
    for (uint64_t rest = cl->noc_cores; rest != 0; rest &= rest - 1) {
        struct sim_core *c = &cl->cores[__builtin_ctzll(rest)];
        if (c->state == SIM_WAITING) {
            sim_raise(c);
            return;
        }
    }
    for (uint64_t rest = cl->noc_cores; rest != 0; rest &= rest - 1)
        sim_raise(&cl->cores[__builtin_ctzll(rest)]);
}

uint64_t hal_event_spin(void)
{
    return 0;
}

bool hal_event_oversubscribed(void)
{
    return false;
}

bool hal_event_naps(void)
{
    return false;
}

bool hal_event_relax(bool waits)
{
    (void)waits;
    hal_work(1);
    return false;
}
