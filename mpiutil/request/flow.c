/* SPDX-License-Identifier: MIT */
/* Flows: who runs the next step, and when.
 *
 *     step --starts--> messages --the last one done--> [task of the rank's bell] --> step ...
 *
 * Messages become done on the rank's core (its own progress, a neighbour that copies) or on another
 * one (a receiver that copies), so they are counted atomically. The count has one more while a step
 * runs: whoever brings it to 0 is the only one, and either the step that just ended goes on, or the
 * task is released. It runs when its rank serves the bell: in MPI, or interrupted. A rank keeps
 * the tasks that it once needed. */
#include <base/assert.h>
#include <base/error.h>
#include <mpiutil/flow.h>
#include <sys/k_task.h>

#include "request/request.h"

struct mpu_step_task {
    struct k_task task;
    struct mpu_flow *flow;      /* NULL: nobody's */
    struct mpu_step_task *next; /* of those */
};

/* Messages that are started while a step runs belong to its flow. A step may run functions of the
 * program, and those may do modelled work: no other step runs then. */
static void run(struct mpu_flow *f)
{
    struct mpu_rank *r = f->rank;
    b_assert(!r->flows.now);
    do {
        atomic_store_explicit(&f->left, 1, memory_order_relaxed);
        r->flows.now = f;
        r->advancing++;
        f->running = !f->step(f->arg);
        r->advancing--;
        r->flows.now = NULL;
    } while (f->running && atomic_fetch_sub(&f->left, 1) == 1);
    if (!f->running)
        mpu_help_flow(f, -1);
}

static int step_task(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    b_assert(((struct mpu_step_task *)a0)->flow->running);
    run(((struct mpu_step_task *)a0)->flow);
    return 0;
}

static struct mpu_step_task *take(struct mpu_rank *r)
{
    struct mpu_step_task *t = r->flows.idle_tasks;
    if (t) {
        b_assert(!t->flow);
        r->flows.idle_tasks = t->next;
        return t;
    }
    t = mpu_alloc(r, sizeof *t);
    if (t) {
        struct k_task_attr attr = {.fn = step_task, .core = K_ANY, .bell = &r->bell};
        k_task_create(&t->task, &attr);
        k_task_set(&t->task, K_TASK_ARG0, (long)t);
    }
    return t;
}

int mpu_flow_make(struct mpu_rank *r, struct mpu_flow *f, bool (*step)(void *arg), void *arg)
{
    *f = (struct mpu_flow){.rank = r, .step = step, .arg = arg, .task = take(r)};
    if (!f->task)
        return -B_ENOMEM;
    f->task->flow = f;
    return 0;
}

void mpu_flow_start(struct mpu_flow *f)
{
    mpu_help_flow(f, 1);
    run(f);
}

void mpu_flow_end(struct mpu_flow *f)
{
    b_assert(!f->running && f->task->flow == f);
    f->task->flow = NULL;
    f->task->next = f->rank->flows.idle_tasks;
    f->rank->flows.idle_tasks = f->task;
}

void mpu_flow_done(struct mpu_flow *f)
{
    struct k_task *t = &f->task->task;
    if (atomic_fetch_sub(&f->left, 1) == 1 && k_task_signal_own(t) < 0)
        k_task_signal(t);
}

struct mpu_flow *mpu_flow_hold(struct mpu_rank *r)
{
    b_assert(r->flows.now);
    return mpu_flow_join(r);
}

void mpu_flow_matters(struct mpu_rank *r)
{
    struct mpu_flow *f = r->flows.now;
    if (f->quiet) {
        f->quiet = false;
        mpu_help_flow(f, 1);
    }
}
