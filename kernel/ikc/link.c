/* SPDX-License-Identifier: MIT */
/* Messages between kernels over the one hardware mailbox.
 *
 * Every message is answered by a verdict as soon as the receiving kernel looks at it: no verdict
 * waits for anything, so slots always become free again and no two kernels can wait for each
 * other. A refused message (BUSY) is parked here and leaves the network to others until a READY
 * calls it. */
#include "ikc/internal.h"

#include <base/assert.h>
#include <base/error.h>
#include <hal/attend.h>
#include <base/mem.h>

enum { MESSAGES_PER_POLL = 64 };

static struct kern_item *item_of(struct b_node *node)
{
    return b_container(node, struct kern_item, node);
}

static void put(struct b_queue *q, struct kern_item *i, enum kern_where where)
{
    b_queue_append(q, &i->node);
    i->where = (uint8_t)where;
}

/* As hal_mailbox_send; -B_EIO, too, if that cluster's end was handled. */
static inline int send(struct kern_ikc *k, struct kern_item *i, int to)
{
    struct hal_mail scratch;
    size_t used;
    if (kern_dead(k, to))
        return -B_EIO;
    const struct hal_mail *m = i->class->compose(k, i, &scratch, &used);
    return hal_mailbox_send(to, m, used);
}

/* It was sent. */
static inline void fly(struct kern_dest *d, struct kern_item *i)
{
    put(&d->flying, i, ITEM_FLYING);
    d->streamed += i->class->stream;
    if (i->urgent)
        hal_attend_urge(i->to);
}

void kern_link_post(struct kern_ikc *k, struct kern_item *i, int to)
{
    struct kern_dest *d = &k->dest[to];
    b_assert(i->where == ITEM_IDLE);
    i->to = (uint16_t)to;
    i->called = i->reserved = i->held = i->again = false;
    /* Nothing is before it. */
    if (to != k->self && b_queue_empty(&d->queue) && b_queue_empty(&d->parked) &&
        send(k, i, to) == 0) {
        fly(d, i);
        return;
    }
    put(&d->queue, i, ITEM_QUEUED);
    kern_link_pump(k, to);
}

bool kern_link_recall(struct kern_ikc *k, struct kern_item *i)
{
    struct kern_dest *d = &k->dest[i->to];
    if (i->where == ITEM_FLYING || i->reserved)
        return false;
    if (i->where != ITEM_IDLE) {
        b_queue_remove(i->where == ITEM_QUEUED ? &d->queue : &d->parked, &i->node);
        i->where = ITEM_IDLE;
    }
    return true;
}

/* Streams -------------------------------------------------------------------------------------- */

static bool same_stream(const struct kern_item *a, const struct kern_item *b)
{
    return a->class == b->class && a->port == b->port && a->index == b->index;
}

static const struct kern_item *among(const struct b_queue *q, const struct kern_item *i)
{
    for (const struct b_node *node = q->first; node; node = node->next) {
        const struct kern_item *other = b_container(node, const struct kern_item, node);
        if (same_stream(other, i))
            return other;
    }
    return NULL;
}

/* An item of a stream does not leave while one before it is parked: it joins it. */
static bool stays(struct kern_dest *d, struct kern_item *i)
{
    if (!i->class->stream || i->called || !among(&d->parked, i))
        return false;
    put(&d->parked, i, ITEM_PARKED);
    i->held = true;
    return true;
}

/* An item of a stream must not be called yet while one before it was called and has not left, or
 * flies and may come back. */
static bool in_doubt(const struct kern_dest *d, const struct kern_item *i)
{
    if (!i->class->stream)
        return false;
    const struct kern_item *queued = among(&d->queue, i);
    return (queued && queued->called) || among(&d->flying, i);
}

void kern_link_break(struct kern_ikc *k, int from, const struct wire_header *h)
{
    k->dest[from].broken |= (h->flags & WIRE_STREAM) != 0;
}

bool kern_link_broken(struct kern_ikc *k, int from, const struct wire_header *h)
{
    if ((h->flags & WIRE_STREAM) != 0 && (h->flags & WIRE_FOLLOWS) == 0)
        k->dest[from].broken = false;
    return (h->flags & WIRE_STREAM) != 0 && k->dest[from].broken;
}

/* The parked items of a stream are kept in the order in which they must leave. So an item that
 * comes back goes before the others of its stream if it had been called by a READY (only the first
 * one is), and before those that never left (held). */
static void park(struct kern_dest *d, struct kern_item *i)
{
    struct b_queue later = {NULL, NULL};
    struct b_node *node = i->class->stream ? d->parked.first : NULL;
    while (node && !(same_stream(item_of(node), i) && (i->called || item_of(node)->held)))
        node = node->next;
    while (node) {
        struct b_node *next = node->next;
        b_queue_remove(&d->parked, node);
        b_queue_append(&later, node);
        node = next;
    }
    put(&d->parked, i, ITEM_PARKED);
    b_queue_splice(&d->parked, &later);
}

/* A verdict, or -B_EIO, for an item that is in no queue any more. */
static void judge(struct kern_ikc *k, struct kern_item *i, int verdict)
{
    struct kern_dest *d = &k->dest[i->to];
    i->where = ITEM_IDLE;
    i->reserved = false;
    if (verdict == WIRE_BUSY && i->class->message) {
        if (i->again)
            put(&d->queue, i, ITEM_QUEUED);
        else
            park(d, i);
        i->again = i->called = false;
    }
    i->class->verdict(k, i, verdict);
}

static int handle(struct kern_ikc *k, int from, const struct wire_header *h, const void *data)
{
    switch (h->kind) {
    case WIRE_MESSAGE:
        return kern_port_deliver(k, &k->box[h->facility], from, h, data);
    case WIRE_READY:
        return kern_link_ready(k, from, h);
    case WIRE_GONE:
        return h->facility == K_PORTAL ? kern_portal_gone(k, from, h) : WIRE_MALFORMED;
    default:
        return WIRE_MALFORMED;
    }
}

/* Messages to this cluster bypass the HAL: the verdict is there at once. A delivery may post more;
 * the loop that runs already takes it. */
static void pump_here(struct kern_ikc *k)
{
    if (k->pumping)
        return;
    k->pumping = true;
    struct b_node *node;
    while ((node = b_queue_pop(&k->dest[k->self].queue))) {
        struct kern_item *i = item_of(node);
        struct hal_mail scratch;
        size_t used;
        if (stays(&k->dest[k->self], i))
            continue;
        const struct hal_mail *m = i->class->compose(k, i, &scratch, &used);
        struct wire_header h;
        memcpy(&h, m->header, sizeof h);
        i->where = ITEM_IDLE;
        i->reserved = false;
        judge(k, i, handle(k, k->self, &h, m->data));
    }
    k->pumping = false;
}

void kern_link_pump(struct kern_ikc *k, int to)
{
    if (to == k->self) {
        pump_here(k);
        return;
    }
    struct kern_dest *d = &k->dest[to];
    while (!b_queue_empty(&d->queue)) {
        struct kern_item *i = item_of(d->queue.first);
        if (i->class->stream && d->parked.first && b_queue_pop(&d->queue)) {
            if (stays(d, i))
                continue;
            b_queue_prepend(&d->queue, &i->node);
        }
        int sent = send(k, i, to);
        if (sent == -B_EAGAIN || (sent == -B_EIO && !kern_dead(k, to)))
            return; /* a verdict, or the end of that cluster, continues */
        b_queue_pop(&d->queue);
        if (sent < 0)
            judge(k, i, sent);
        else
            fly(d, i);
    }
}

int kern_link_ready(struct kern_ikc *k, int from, const struct wire_header *h)
{
    struct kern_dest *d = &k->dest[from];
    struct kern_item *found = NULL;
    int answer = WIRE_ANSWER;
    for (struct b_node *node = d->parked.first; node; node = node->next) {
        struct kern_item *i = item_of(node);
        if (i->class->facility != h->facility || i->port != h->to)
            continue;
        if (!found && (h->from == WIRE_PORT_ANY || h->from == i->index) && !in_doubt(d, i)) {
            found = i;
            answer |= WIRE_COMING;
        } else {
            answer |= WIRE_MORE;
        }
    }
    /* Of a message whose verdict is still on its way the sender of the READY may mean just that
     * one. */
    for (struct b_node *node = d->flying.first; node; node = node->next) {
        struct kern_item *i = item_of(node);
        if (i->class->message && i->class->facility == h->facility && i->port == h->to) {
            i->again = !i->class->stream;
            answer |= i->class->stream ? WIRE_MORE : 0;
        }
    }
    if (found) {
        b_assert(found->where == ITEM_PARKED);
        b_queue_remove(&d->parked, &found->node);
        found->where = ITEM_QUEUED;
        found->called = true;
        found->held = false;
        found->reserved = (h->flags & WIRE_RESERVED) != 0;
        b_queue_prepend(&d->queue, &found->node);
        kern_link_pump(k, from);
    }
    return answer;
}

bool kern_link_verdicts(struct kern_ikc *k)
{
    /* A verdict may have a READY sent, whose verdict may be here before all others were taken:
     * without a bound those that keep refusing would keep this core from the others' messages. */
    int to, handled = 0, most = k->flows > 0 ? 1 : k->clusters;
    while (handled < most && (to = hal_mailbox_verdict_any()) >= 0) {
        int verdict;
        while ((verdict = hal_mailbox_verdict(to)) >= 0) {
            struct b_node *node = b_queue_pop(&k->dest[to].flying);
            if (node) {
                b_assert(item_of(node)->where == ITEM_FLYING && item_of(node)->to == to);
                k->dest[to].streamed -= item_of(node)->class->stream;
                judge(k, item_of(node), verdict);
            }
        }
        kern_link_pump(k, to);
        handled++;
    }
    return handled > 0;
}

void kern_link_bury(struct kern_ikc *k, int node)
{
    struct kern_dest *d = &k->dest[node];
    struct b_queue all = {NULL, NULL};
    d->streamed = 0;
    b_queue_splice(&all, &d->flying);
    b_queue_splice(&all, &d->parked);
    b_queue_splice(&all, &d->queue);
    struct b_node *n;
    while ((n = b_queue_pop(&all)))
        judge(k, item_of(n), -B_EIO);
}

static bool well_formed(const struct kern_ikc *k, const struct wire_header *h)
{
    bool mail = h->facility == K_MAILBOX && h->kind == WIRE_MESSAGE;
    int flags = WIRE_RESERVED | (mail ? WIRE_STREAM | WIRE_FOLLOWS : 0);
    if (h->facility > K_PORTAL || (h->flags & ~flags) != 0 ||
        (h->zero[0] | h->zero[1] | h->zero[2]) != 0)
        return false;
    uint32_t ports = k->box[h->facility].ports;
    bool any = h->kind == WIRE_READY && h->from == WIRE_PORT_ANY;
    return h->size <= (mail ? HAL_MAIL_DATA : 0) && h->to < KERN_PORTS_MAX &&
           (h->from < ports || any);
}

/* Everything that comes from the wire is checked here or, its ports, where they are used. The
 * verdict of a streamed message may come late if it is the usual one. */
void kern_link_message(struct kern_ikc *k, int from, const struct hal_mail *m)
{
    struct wire_header h;
    memcpy(&h, m->header, sizeof h);
    int verdict = well_formed(k, &h) ? handle(k, from, &h, m->data) : WIRE_MALFORMED;
    if (verdict == WIRE_STORED && (h.flags & (WIRE_STREAM | WIRE_RESERVED)) == WIRE_STREAM)
        hal_mailbox_release_late(from, verdict);
    else
        hal_mailbox_release(from, verdict);
    if (verdict == WIRE_BUSY)
        kern_port_serve(k, &k->box[h.facility], h.to);
}

static bool message(struct kern_ikc *k)
{
    int from;
    const struct hal_mail *m = hal_mailbox_peek(&from);
    if (m)
        kern_link_message(k, from, m);
    return m != NULL;
}

bool kern_link_messages(struct kern_ikc *k)
{
    int handled = 0, most = k->flows > 0 ? 1 : MESSAGES_PER_POLL;
    while (handled < most && message(k))
        handled++;
    return handled > 0;
}
