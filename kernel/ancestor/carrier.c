/* SPDX-License-Identifier: MIT */
/* The ancestor's style of carrying bytes: piece by piece, each with its grant. The writer's side
 * copies a piece into a page of the kernel, the reader's side copies it out of one. In the baseline
 * variant the threads that wait do that, and each piece but the first costs them a call, for the
 * runtime repeats the whole procedure; in partial and full the master core does. */
#include "ancestor.h"

#include <base/error.h>
#include <hal/event.h>
#include <hal/mem.h>
#include <kernel/call.h>
#include <kernel/cluster.h>
#include <sys/k_call.h>

#include "call/gate.h"
#include "ikc/internal.h"
#include "thread/sched.h"

static struct kern_portal_in *in_of(struct kern_object *o)
{
    return b_container(o, struct kern_portal_in, o);
}

static struct kern_portal_out *out_of(struct kern_object *o)
{
    return b_container(o, struct kern_portal_out, o);
}

static struct kern_piece *piece_of(const struct kern_ikc *k, const struct kern_object *o)
{
    return &(o->role == KERN_IN ? k->piece_in : k->piece_out)[o->index];
}

static void *page_of(const struct kern_ikc *k, const struct kern_object *o)
{
    uint32_t number = o->index + (o->role == KERN_IN ? 0 : k->box[K_PORTAL].ports);
    return k->pages + (size_t)number * k->machine->page_size;
}

static size_t two_pages(const struct hal_machine *m)
{
    return 2 * (size_t)m->portal_ports * (sizeof(struct kern_piece) + m->page_size);
}

/* The next piece of a write waits for who brings it into its page. */
static void next_out(struct kern_ikc *k, struct kern_portal_out *out)
{
    struct kern_piece *p = piece_of(k, &out->o);
    size_t left = out->n - p->moved, most = k->machine->page_size;
    p->n = (uint32_t)(left < most ? left : most);
    p->ready = p->n == 0;
    if (!p->ready)
        kern_op_offer(k, &out->o, NULL);
}

static void begin(struct kern_ikc *k, struct kern_object *o)
{
    *piece_of(k, o) = (struct kern_piece){0};
    if (o->role == KERN_OUT && out_of(o)->to.node != k->self)
        next_out(k, out_of(o));
}

static void *into_page(struct kern_ikc *k, struct kern_portal_in *in, size_t *room)
{
    *room = in->n - piece_of(k, &in->o)->moved;
    return page_of(k, &in->o);
}

/* Somebody will hear that there is something to copy. Else the core that is here has to copy: who
 * waits for another operation of his meanwhile must not keep his peer. */
static bool attended(struct kern_ikc *k, const struct kern_object *o)
{
    hal_lock(&k->done);
    bool flow = kern_flow_of(k, o) && kern_cluster()->asymmetric;
    bool hears = flow || o->wait.head || o->bell || o->task;
    hal_unlock(&k->done);
    return hears;
}

/* Out of its page; and the read goes on, or is over. */
static void bring_out(struct kern_ikc *k, struct kern_portal_in *in)
{
    struct kern_piece *p = piece_of(k, &in->o);
    p->moved += p->n;
    if (p->more)
        kern_portal_resume(k, in);
    else
        kern_portal_end_read(k, in, (int64_t)p->moved);
}

static void piece_landed(struct kern_ikc *k, struct kern_portal_in *in, size_t n, uint32_t cookie)
{
    struct kern_piece *p = piece_of(k, &in->o);
    p->n = (uint32_t)n;
    p->more = (cookie & WIRE_DATA_MORE) != 0;
    in->reading = READ_COPY;
    if (attended(k, &in->o)) {
        kern_op_offer(k, &in->o, NULL);
    } else {
        hal_mem_copy((char *)in->buf + p->moved, page_of(k, &in->o), n);
        bring_out(k, in);
    }
}

/* With `done` held, which it releases: the write's piece into its page. */
static void bring_in(struct kern_ikc *k, struct kern_portal_out *out)
{
    struct kern_piece *p = piece_of(k, &out->o);
    out->o.state = OP_PENDING;
    p->copying = true;
    hal_unlock(&k->done);
    hal_mem_copy(page_of(k, &out->o), (const char *)out->buf + p->moved, p->n);
    hal_lock(&k->done);
    p->ready = true;
    p->copying = false;
    hal_unlock(&k->done);
}

static bool piece(struct kern_ikc *k, struct kern_portal_out *out, struct kern_load *l)
{
    const struct kern_piece *p = piece_of(k, &out->o);
    size_t left = out->n - p->moved;
    if (!attended(k, &out->o)) {
        hal_lock(&k->done);
        if (out->o.state == OP_COPY)
            bring_in(k, out);
        else
            hal_unlock(&k->done);
    }
    *l = (struct kern_load){.bytes = page_of(k, &out->o),
                            .n = p->n,
                            .left = left,
                            .flags = left > p->n ? WIRE_DATA_MORE : 0};
    return p->ready;
}

static bool piece_sent(struct kern_ikc *k, struct kern_portal_out *out)
{
    struct kern_piece *p = piece_of(k, &out->o);
    p->moved += p->n;
    if (p->moved == out->n)
        return true;
    out->announced = true;
    next_out(k, out);
    return false;
}

/* Who brings a write into its page holds no lock meanwhile and is done soon: whether it is fixed
 * shows then. A refusal now would leave its caller waiting for a reader that may never come. */
static bool piece_fixed(struct kern_ikc *k, struct kern_object *o)
{
    struct kern_piece *p = piece_of(k, o);
    bool in = o->role == KERN_IN;
    bool moves = in ? in_of(o)->reading == READ_COPY : out_of(o)->writing == WRITE_COPY;
    bool begun = in ? in_of(o)->reading != READ_IDLE : out_of(o)->writing != WRITE_IDLE;
    hal_lock(&k->done);
    while (p->copying) {
        hal_unlock(&k->done);
        hal_event_relax(true);
        hal_lock(&k->done);
    }
    bool fixed = moves || (begun && p->moved > 0); /* else they are an earlier operation's */
    if (!fixed && o->state == OP_COPY) {
        o->state = OP_PENDING;
        p->kept = true;
    }
    hal_unlock(&k->done);
    return fixed;
}

static void piece_keep(struct kern_ikc *k, struct kern_object *o)
{
    if (piece_of(k, o)->kept) {
        piece_of(k, o)->kept = false;
        kern_op_offer(k, o, NULL);
    }
}

/* A thread has copied: core 0 goes on with it, by a call if that is what the runtime makes. */
static void go_on(struct kern_object *o, bool by_call)
{
    struct kern_core *core = kern_core();
    if (core->serves)
        return;
    if (by_call)
        kern_enter(K_NR_portal_control, kern_object_id(o), K_CONTROL_PORT, 0, 0, 0);
    else
        kern_nudge(&core->cluster->core[0]);
}

static void copy_out(struct kern_ikc *k, struct kern_portal_in *in)
{
    struct kern_piece *p = piece_of(k, &in->o);
    bool more = p->more;
    in->o.state = OP_PENDING;
    hal_unlock(&k->done);
    hal_mem_copy((char *)in->buf + p->moved, page_of(k, &in->o), p->n);
    hal_lock(&k->lock);
    bring_out(k, in);
    hal_unlock(&k->lock);
    if (more)
        go_on(&in->o, true);
}

static void copy_in(struct kern_ikc *k, struct kern_portal_out *out)
{
    bool again = piece_of(k, &out->o)->moved > 0;
    bring_in(k, out);
    go_on(&out->o, again);
}

static int copy(struct kern_ikc *k, struct kern_object *o)
{
    bool out = o->role == KERN_OUT;
    if (out ? out_of(o)->writing == WRITE_COPY : in_of(o)->from.node == k->self)
        return -B_EINVAL;
    if (out)
        copy_in(k, out_of(o));
    else
        copy_out(k, in_of(o));
    return 0;
}

/* Through a page, and back to the kernel for each further one. */
static void move_twice(struct kern_ikc *k, struct kern_portal_in *in, void *to, const void *from,
                       size_t n)
{
    char *page = page_of(k, &in->o);
    for (size_t at = 0, most = k->machine->page_size; at < n; at += most) {
        size_t some = n - at < most ? n - at : most;
        if (at > 0)
            go_on(&in->o, true);
        hal_mem_copy(page, (const char *)from + at, some);
        hal_mem_copy((char *)to + at, page, some);
    }
}

const struct kern_carrier kern_ancestor_carrier = {
    .bytes = two_pages,
    .begin = begin,
    .land = into_page,
    .landed = piece_landed,
    .load = piece,
    .sent = piece_sent,
    .fixed = piece_fixed,
    .keep = piece_keep,
    .copy = copy,
    .move = move_twice,
    .master = true,
};
