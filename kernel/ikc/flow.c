/* SPDX-License-Identifier: MIT */
/* Operations by tasks: the communication flow of souto-2022, figure 6, in the variants partial and
 * full. An operation takes a flow from a pool when it begins:
 *
 *     k_*_aread, k_*_awrite --release--> begin ......... the network ......... end --> who waits
 *                                        ^ | ^                                  |
 *                       next piece of a  | | |  its writer withdrew: another    |
 *                       local transfer   +-+ +------------ USER1 ---------------+
 *
 * `begin` reserves and configures (the paper's task 1): it sends, asks for a channel, takes what
 * has come. What it may not have now it queues up for; whoever releases that starts the next in
 * the queue. Then no task of the flow is ready: it waits for the physical completion (the paper's
 * task 2, which stands for a channel; here the engine remembers a release in any state, so nothing
 * has to stand there). The handler that sees the completion releases `end` (task 3), of high
 * priority, which accounts for it and tells whoever waits.
 *
 * A flow that the operation left (cancelled, object closed) while a task of it is ready stays
 * without object until that task has run. When no flow is free the operation goes the way of the
 * baseline variant: nothing waits for a flow. */
#include "ikc/internal.h"

#include <base/config.h>
#include <hal/core.h>
#include <kernel/cluster.h>
#include <kernel/task.h>

static uint32_t flows_of(const struct hal_machine *m)
{
    uint32_t most = m->threads < KERN_FLOWS_MAX ? m->threads : KERN_FLOWS_MAX;
    return m->variant == HAL_BASELINE ? 0 : most;
}

size_t kern_flow_bytes(const struct hal_machine *m)
{
    return flows_of(m) * sizeof(struct kern_flow);
}

void kern_flow_init(struct kern_ikc *k, void *memory)
{
    k->flow = memory;
    k->flows = flows_of(k->machine);
    for (uint32_t i = 0; i < k->flows; i++)
        b_queue_append(&k->idle, &k->flow[i].free);
}

struct kern_flow *kern_flow_of(const struct kern_ikc *k, const struct kern_object *o)
{
    return o->flow != 0 ? &k->flow[o->flow - 1] : NULL;
}

/* Tasks ---------------------------------------------------------------------------------------- */

static int begin(long self, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct kern_flow *f = (struct kern_flow *)self;
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock); /* over the start: the object must not end in between */
    hal_lock(&k->done);
    struct kern_object *o = f->object;
    enum kern_phase phase = f->phase;
    f->phase = FLOW_WAIT;
    if (!o)
        kern_flow_give(k, f);
    hal_unlock(&k->done);
    if (o && phase == FLOW_BEGIN)
        kern_op_start(k, o);
    hal_unlock(&k->lock);
    if (o && phase == FLOW_COPY)
        kern_portal_copy(k, o, k->machine->page_size);
    return K_USER0;
}

static int end(long self, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct kern_flow *f = (struct kern_flow *)self;
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->done);
    bool again = f->object && f->phase == FLOW_AGAIN;
    f->phase = again ? FLOW_BEGIN : FLOW_WAIT;
    if (!f->object)
        kern_flow_give(k, f);
    else if (!again)
        kern_op_finish(k, f->object, f->result, f->bytes);
    hal_unlock(&k->done);
    return again ? K_USER1 : K_USER0;
}

/* At its first use: at boot there is no engine yet. */
static void create(struct kern_flow *f)
{
    kern_task_create(&f->begin, &(struct k_task_attr){.fn = begin, .core = 0});
    kern_task_create(&f->end, &(struct k_task_attr){.fn = end, .core = 0});
    kern_task_set(&f->begin, K_TASK_ARG0, (long)f);
    kern_task_set(&f->end, K_TASK_ARG0, (long)f);
    kern_task_promote(&f->begin);
    kern_task_promote(&f->end);
    kern_task_connect(&f->again, &f->end, &f->begin, K_FLOW | K_PERSISTENT, K_USER1);
}

/* Flows and operations ------------------------------------------------------------------------- */

struct kern_flow *kern_flow_take(struct kern_ikc *k)
{
    struct b_node *node = b_queue_pop(&k->idle);
    if (!node)
        return NULL;
    struct kern_flow *f = b_container(node, struct kern_flow, free);
    if (f->begin.state == K_TASK_INVALID)
        create(f);
    return f;
}

void kern_flow_give(struct kern_ikc *k, struct kern_flow *f)
{
    f->phase = FLOW_FREE;
    b_queue_append(&k->idle, &f->free);
}

void kern_flow_release(struct kern_ikc *k, struct kern_flow *f, enum kern_phase phase)
{
    const struct cluster *c = kern_cluster();
    (void)k;
    struct k_task *t = phase == FLOW_BEGIN || phase == FLOW_COPY ? &f->begin : &f->end;
    f->phase = (uint8_t)phase;
    /* Where calls run inline the core that is here polls, so its Dispatcher has its turn next. */
    kern_task_signal_at(t, c->asymmetric ? 0 : hal_core());
}

void kern_flow_start(struct kern_ikc *k, struct kern_flow *f, struct kern_object *o)
{
    o->flow = (uint16_t)(f - k->flow + 1);
    f->object = o;
    f->copied = 0;
    kern_flow_release(k, f, FLOW_BEGIN);
}

void kern_flow_leave(struct kern_ikc *k, struct kern_object *o)
{
    struct kern_flow *f = kern_flow_of(k, o);
    if (!f)
        return;
    o->flow = 0;
    f->object = NULL;
    if (f->phase == FLOW_WAIT)
        kern_flow_give(k, f);
}

/* Threads that wait copy for themselves, each on its own core; the master core, which serves all,
 * does it only for those that compute. */
bool kern_flow_copies(struct kern_ikc *k, struct kern_object *o, struct kern_object *other)
{
    struct kern_flow *f = kern_flow_of(k, o);
    bool waited = o->wait.head || o->bell || (other && (other->wait.head || other->bell));
    if (!f || (waited && !k->carrier->master) || !kern_cluster()->asymmetric)
        return false;
    kern_flow_release(k, f, FLOW_COPY);
    return true;
}
