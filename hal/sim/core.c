/* SPDX-License-Identifier: MIT */
/* Cores: which one runs, how it blocks, how another takes over. */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>

#include <base/error.h>
#include <base/here.h>
#include <hal/clock.h>
#include <hal/core.h>
#include <hal/mem.h>
#include <hal/power.h>

#include "report.h"

struct sim sim;
_Thread_local int hal_here_core;
_Thread_local uint64_t hal_here_clock;
_Thread_local void **b_here;
void *hal_here_local;

/* The core that runs from now on, NULL: main does. */
static void become(struct sim_core *c)
{
    if (sim.core)
        sim.core->here = b_here;
    b_here = c ? c->here : NULL;
    sim.core = c;
    hal_here_core = c ? c->number : 0;
    hal_here_local = c ? sim.clusters[c->cluster].local : NULL;
}

int hal_cluster(void)
{
    return sim.core ? sim.core->cluster : 0;
}

void hal_local_set(void *p)
{
    sim_cluster()->local = hal_here_local = p;
}

static void resume(struct sim_core *me, struct sim_core *c)
{
    int host_error = errno; /* one OS thread, so all cores share it; each sees its own */
    become(c);
    hal_context_switch(me ? &me->context : &sim.main, &c->context);
    errno = host_error;
}

void sim_dispatch(void)
{
    struct sim_core *me = sim.core;
    while (!sim.over) {
        void (*fire)(void *arg);
        void *arg;
        if (sim_report_wanted())
            sim_report_now();
        if (!sim_event_next(&fire, &arg)) {
            sim_report_deadlock();
            break;
        }
        if (sim.now > sim.limit)
            sim_stop(sim.now);
        if (sim.over)
            break;
        if (sim.now > sim.limit) {
            sim.now = hal_here_clock = sim.limit;
            sim_report_timeout();
            break;
        }
        if (fire) {
            fire(arg);
            continue;
        }
        struct sim_core *c = arg;
        if (c->state == SIM_ENDED)
            continue;
        c->state = SIM_RUNNING;
        c->since = sim.now;
        if (c != me)
            resume(me, c);
        return;
    }
    if (me)
        sim_leave();
}

void sim_leave(void)
{
    struct sim_core *me = sim.core;
    become(NULL);
    hal_context_switch(&me->context, &sim.main);
    abort(); /* nobody resumes a core after the end */
}

void sim_block(enum sim_state state)
{
    struct sim_core *me = sim.core;
    uint64_t from = sim.now;
    me->state = state;
    me->since = from;
    sim_dispatch();
    if (state != SIM_WAITING)
        me->busy += sim.now - from;
}

void sim_wake(struct sim_core *c)
{
    c->state = SIM_READY;
    sim_at(sim.now, NULL, c);
}

void sim_over(int status)
{
    sim.over = true;
    sim.status = status;
}

uint64_t sim_core_busy(const struct sim_core *c)
{
    bool now = c->state == SIM_WORKING || c->state == SIM_HEEDING || c->state == SIM_LOCKING ||
               c->state == SIM_SENDING;
    return c->busy + (now ? sim.now - c->since : 0);
}

uint64_t hal_core_busy(int core)
{
    const struct sim_cluster *c = &sim.clusters[hal_cluster()];
    return core >= 0 && core < c->core_count ? sim_core_busy(&c->cores[core]) : 0;
}

static void core_end(struct sim_core *c)
{
    c->busy = sim_core_busy(c);
    c->state = SIM_ENDED;
    c->since = sim.now;
}

static void core_main(void *arg)
{
    struct sim_core *c = arg;
    c->entry(c->arg);
    if (c->number == 0)
        hal_power_off(0);
    core_end(c);
    sim_dispatch();
}

static int core_begin(struct sim_core *c, void (*entry)(void *arg), void *arg)
{
    int e = hal_stack_alloc(sim.options.stack, &c->stack, &c->stack_size);
    if (e < 0)
        return e;
    c->entry = entry;
    c->arg = arg;
    hal_context_init(&c->context, c->stack, c->stack_size, core_main, c);
    sim_wake(c);
    return 0;
}

int hal_core_start(int core, void (*entry)(void *arg), void *arg)
{
    struct sim_cluster *cl = sim_cluster();
    if (core < 1 || core >= cl->core_count)
        return -B_EINVAL;
    struct sim_core *c = &cl->cores[core];
    return c->state == SIM_OFF ? core_begin(c, entry, arg) : -B_EBUSY;
}

void sim_cores_end(struct sim_cluster *cl)
{
    for (int i = 0; i < cl->core_count; i++)
        core_end(&cl->cores[i]);
}

int sim_cores_create(void (*boot)(void *arg), void *arg)
{
    struct sim_core *next = sim.cores;
    for (int i = 0; i < sim.cluster_count; i++) {
        struct sim_cluster *cl = &sim.clusters[i];
        cl->cores = next;
        for (int k = 0; k < cl->core_count; k++, next++) {
            *next = (struct sim_core){
                .cluster = i, .number = k, .index = (int)(next - sim.cores), .timer = HAL_NEVER};
        }
        int e = core_begin(&cl->cores[0], boot, arg);
        if (e < 0)
            return e;
    }
    return 0;
}

void sim_cores_destroy(void)
{
    for (int i = 0; i < sim.core_count; i++) {
        struct sim_core *c = &sim.cores[i];
        if (c->stack) {
            hal_context_fini(&c->context);
            hal_stack_free(c->stack, c->stack_size);
        }
    }
}
