/* SPDX-License-Identifier: MIT */
/* The ancestor's style of waiting for communication: a cluster has one physical channel that its
 * mailboxes read from, one of its portals, and one of each to every other cluster that it writes
 * to. A thread that waits reserves those of its operations. If another thread has one of them, its
 * runtime repeats the kernel call, which on an asymmetric machine the master core has to serve,
 * until the channel is free; then it sleeps. In partial and full the channels belong to the tasks,
 * and threads just sleep. */
#include "ancestor.h"

#include <kernel/cluster.h>
#include <sys/k_bell.h>
#include <sys/k_call.h>

#include "call/gate.h"
#include "ikc/internal.h"
#include "thread/sched.h"

/* Two channels for reading, then for each cluster the two for writing to it. */
static size_t channels(int clusters)
{
    return 2 + 2 * (size_t)clusters;
}

static size_t all_channels(const struct hal_machine *m)
{
    return channels(hal_machine_clusters(m)) * sizeof(struct kern_thread *);
}

/* The channel that the operation of an object needs, NULL: none. An input of a mailbox that rings a
 * bell is read as soon as something is there. */
static struct kern_thread **needs(struct kern_ikc *k, const struct kern_object *o)
{
    bool portal = o->facility == K_PORTAL;
    bool pending = o->state == OP_PENDING;
    if (o->facility == K_SYNC || !o->used)
        return NULL;
    if (o->role == KERN_IN) {
        bool reads =
            portal ? pending && k->portal_in[o->index].from.node != k->self : pending || o->bell;
        return reads ? &k->reserved[portal] : NULL;
    }
    int to = portal ? k->portal_out[o->index].to.node : k->mail_out[o->index].item.to;
    return pending && to != k->self ? &k->reserved[2 + 2 * to + portal] : NULL;
}

/* Reserves the channel for the calling thread; false: another one has it. */
static bool reserve(struct kern_ikc *k, const struct kern_object *o)
{
    struct kern_thread **channel = needs(k, o);
    if (!channel || *channel == kern_current())
        return true;
    if (*channel)
        return false;
    *channel = kern_current();
    return true;
}

/* An object attached to the bell whose channel another thread has, NULL: there is none. */
static struct kern_object *refused(struct kern_ikc *k, const struct k_bell *bell)
{
    for (uint32_t i = 0; i < k->machine->mailbox_ports + k->machine->portal_ports; i++) {
        bool mail = i < k->machine->mailbox_ports;
        uint32_t at = mail ? i : i - k->machine->mailbox_ports;
        struct kern_object *in = mail ? &k->mail_in[at].o : &k->portal_in[at].o;
        struct kern_object *out = mail ? &k->mail_out[at].o : &k->portal_out[at].o;
        if (in->bell == bell && !reserve(k, in))
            return in;
        if (out->bell == bell && !reserve(k, out))
            return out;
    }
    return NULL;
}

/* The same call once more, and a turn for the others of this core. */
static void repeat(struct kern_ikc *k, const struct kern_object *o)
{
    long id = kern_object_id(o);
    int call = o->facility == K_PORTAL ? K_NR_portal_control : K_NR_mailbox_control;
    hal_unlock(&k->done);
    kern_enter(call, id, K_CONTROL_PORT, 0, 0, 0);
    kern_yield(kern_core(), false);
    hal_lock(&k->done);
}

static bool insist(struct kern_ikc *k, struct kern_object *o, const struct k_bell *bell)
{
    if (k->flows > 0)
        return true;
    const struct kern_object *again = !o ? refused(k, bell) : reserve(k, o) ? NULL : o;
    if (again)
        repeat(k, again);
    return !again;
}

static void release(struct kern_ikc *k)
{
    for (size_t i = 0; i < channels(k->clusters); i++)
        if (k->reserved[i] == kern_current())
            k->reserved[i] = NULL;
}

const struct kern_waiter kern_ancestor_waiter = {all_channels, insist, release};
