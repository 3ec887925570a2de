/* SPDX-License-Identifier: MIT */
/* The reading side of portals: match a writer, get a channel, grant, take the completion.
 *
 * Channels are few. A reader that names its writer is granted before the writer said anything,
 * so it may hold a channel for ever; such readers together never get more than half of the
 * channels (one, if there is only one). A reader whose writer has announced itself may use any:
 * that writer will answer. Readers get channels in the order in which they asked. */
#include "ikc/internal.h"

#include <base/error.h>
#include <hal/portal.h>

static struct kern_box *box(struct kern_ikc *k)
{
    return &k->box[K_PORTAL];
}

bool kern_portal_wanted(struct kern_ikc *k, int port, struct kern_address *want)
{
    const struct kern_portal_in *in = &k->portal_in[port];
    *want = in->from;
    return in->reading == READ_MATCH && !in->matched;
}

static void leave_want(struct kern_ikc *k, struct kern_portal_in *in)
{
    if (in->wants) {
        b_queue_remove(&k->want, &in->want);
        in->wants = false;
    }
}

void kern_portal_end_read(struct kern_ikc *k, struct kern_portal_in *in, int64_t result)
{
    leave_want(k, in);
    in->reading = READ_IDLE;
    in->matched = false;
    if (result >= 0 && in->got)
        *in->got = (struct k_source){in->from.node, in->from.port};
    kern_op_end(k, &in->o, result, result);
}

/* Channels ------------------------------------------------------------------------------------- */

static int free_channel(const struct kern_ikc *k, bool named)
{
    /* Named grants use the low channels only: the sender keeps those that come early by channel. */
    uint32_t limit = named ? k->named_channels : k->channels;
    for (uint32_t i = 0; i < limit; i++) {
        uint32_t c = named ? i : k->channels - 1 - i;
        if (!k->channel[c])
            return (int)c;
    }
    return -1;
}

static void release_channel(struct kern_ikc *k, struct kern_portal_in *in)
{
    k->channel[in->channel] = NULL;
    k->granted--;
}

static void grant(struct kern_ikc *k, struct kern_portal_in *in, int channel)
{
    uint32_t cookie = (uint32_t)in->o.index | (uint32_t)in->from.port << WIRE_GRANT_FROM_SHIFT |
                      (in->matched ? WIRE_GRANT_MATCHED : 0);
    size_t room;
    void *to = k->carrier->land(k, in, &room);
    int r = hal_portal_allow(channel, in->from.node, cookie, to, room);
    if (r < 0) {
        kern_portal_end_read(k, in, r == -B_EHOSTUNREACH ? -B_EIO : r);
        return;
    }
    in->channel = (int8_t)channel;
    in->reading = READ_GRANTED;
    k->channel[channel] = in;
    k->granted++;
}

/* Gives free channels to readers that wait for one, in order; one that may not have the free
 * channel does not stop those behind it. */
static void assign(struct kern_ikc *k)
{
    struct b_node *node = k->want.first;
    while (node && free_channel(k, false) >= 0) {
        struct b_node *next = node->next;
        struct kern_portal_in *in = b_container(node, struct kern_portal_in, want);
        int channel = free_channel(k, !in->matched);
        if (channel >= 0) {
            leave_want(k, in);
            grant(k, in, channel);
        }
        node = next;
    }
}

static void want_channel(struct kern_ikc *k, struct kern_portal_in *in)
{
    if (!in->wants) {
        in->wants = true;
        b_queue_append(&k->want, &in->want);
    }
    assign(k);
}

/* Matching ------------------------------------------------------------------------------------- */

/* A reader and a writer of this cluster: true if the writer still wants this. */
static bool meet(struct kern_ikc *k, struct kern_portal_in *in, struct kern_portal_out *out)
{
    bool waits = out->writing == WRITE_ANNOUNCE || out->writing == WRITE_WAIT;
    if (!waits || out->to.node != k->self || out->to.port != in->o.index)
        return false;
    if (!out->stale && !kern_link_recall(k, &out->item))
        return false; /* its announcement is on its way here, with a buffer kept for it */
    leave_want(k, in);
    in->from = (struct kern_address){(int16_t)k->self, (int16_t)out->o.index};
    if (out->n > in->n) {
        kern_portal_end_read(k, in, -B_EMSGSIZE);
        out->writing = WRITE_IDLE;
        kern_op_end(k, &out->o, -B_EMSGSIZE, -1);
        return true;
    }
    in->reading = READ_COPY;
    out->writing = WRITE_COPY;
    kern_op_offer(k, &in->o, &out->o);
    return true;
}

/* An announcement of (node, port) becomes the reader's. */
static bool match(struct kern_ikc *k, struct kern_portal_in *in, int node, int port,
                  uint16_t serial)
{
    if (node == k->self)
        return meet(k, in, &k->portal_out[port]);
    in->from = (struct kern_address){(int16_t)node, (int16_t)port};
    in->matched = true;
    in->serial = serial;
    want_channel(k, in);
    return true;
}

bool kern_portal_accept(struct kern_ikc *k, int port, const struct kern_letter *l, const void *data)
{
    (void)data;
    struct kern_portal_in *in = &k->portal_in[port];
    struct kern_address want;
    return kern_portal_wanted(k, port, &want) && kern_wants(want, l->from_node, l->from_port) &&
           match(k, in, l->from_node, l->from_port, l->serial);
}

/* Looks for a writer for a reader that has none. */
static void search(struct kern_ikc *k, struct kern_portal_in *in)
{
    int port = in->o.index;
    struct kern_letter *l;
    in->from = in->asked;
    in->matched = false;
    in->reading = READ_MATCH;
    /* Freeing a letter lets others in, one of which may be the writer looked for. */
    while (in->reading == READ_MATCH && !in->matched &&
           (l = kern_port_take(k, box(k), port, in->asked))) {
        match(k, in, l->from_node, l->from_port, l->serial);
        kern_port_free(k, box(k), port, l);
    }
    if (in->reading != READ_MATCH || in->matched)
        return;
    bool named = in->asked.node >= 0 && in->asked.port >= 0;
    if (in->asked.node >= 0 && kern_dead(k, in->asked.node)) {
        kern_portal_end_read(k, in, -B_EIO);
    } else if (named && in->asked.node == k->self) {
        struct kern_portal_out *out = &k->portal_out[in->asked.port];
        if (out->writing != WRITE_WAIT || !meet(k, in, out))
            kern_port_reader(k, box(k), port);
    } else {
        kern_port_reader(k, box(k), port);
        if (named && in->reading == READ_MATCH)
            want_channel(k, in);
    }
}

void kern_portal_start_read(struct kern_ikc *k, struct kern_object *o)
{
    struct kern_portal_in *in = b_container(o, struct kern_portal_in, o);
    k->carrier->begin(k, o);
    in->cancel = false;
    search(k, in);
    kern_link_pump(k, k->self);
}

void kern_portal_meet(struct kern_ikc *k, struct kern_portal_out *out)
{
    struct kern_portal_in *in = &k->portal_in[out->to.port];
    if (in->reading == READ_MATCH && in->asked.node == k->self && in->asked.port == out->o.index)
        meet(k, in, out);
}

/* Its writer withdrew or died: it looks for another one, or ends if it was to be cancelled. */
static void search_again(struct kern_ikc *k, struct kern_portal_in *in)
{
    if (in->cancel) {
        kern_portal_end_read(k, in, -B_ECANCELED);
        return;
    }
    hal_lock(&k->done);
    struct kern_flow *f = kern_flow_of(k, &in->o);
    if (f) {
        in->reading = READ_IDLE;
        in->matched = false;
        kern_flow_release(k, f, FLOW_AGAIN);
    }
    hal_unlock(&k->done);
    if (!f)
        search(k, in);
}

/* Completion ----------------------------------------------------------------------------------- */

static void drop_announcement(struct kern_ikc *k, struct kern_portal_in *in)
{
    struct kern_letter *l = kern_port_take(k, box(k), in->o.index, in->from);
    if (l)
        kern_port_free(k, box(k), in->o.index, l);
}

static void received(struct kern_ikc *k, struct kern_portal_in *in, size_t n, uint32_t cookie)
{
    release_channel(k, in);
    if ((cookie & ~WIRE_DATA_DEFINED) != 0 ||
        (int)(cookie & WIRE_DATA_PORT_MASK) != in->from.port) {
        kern_portal_end_read(k, in, -B_EPROTO);
        return;
    }
    /* The write was announced, and granted by its name before that was seen: the announcement has
     * been stored since and has done its work. */
    if ((cookie & WIRE_DATA_ANNOUNCED) != 0 && !in->matched)
        drop_announcement(k, in);
    if ((cookie & WIRE_DATA_WITHDRAWN) != 0)
        search_again(k, in);
    else if ((cookie & WIRE_DATA_TOO_LONG) != 0)
        kern_portal_end_read(k, in, -B_EMSGSIZE);
    else
        k->carrier->landed(k, in, n, cookie);
}

void kern_portal_resume(struct kern_ikc *k, struct kern_portal_in *in)
{
    in->matched = true;
    in->reading = READ_MATCH;
    in->wants = true;
    b_queue_append(&k->want, &in->want);
    k->resumed = true;
}

bool kern_portal_receive(struct kern_ikc *k)
{
    bool any = k->resumed;
    k->resumed = false;
    for (uint32_t c = 0; k->granted > 0 && c < k->channels; c++) {
        struct kern_portal_in *in = k->channel[c];
        size_t n = 0;
        uint32_t cookie = 0;
        int r = in ? hal_portal_received((int)c, &n, &cookie) : -B_EAGAIN;
        if (r == 0) {
            received(k, in, n, cookie);
        } else if (r != -B_EAGAIN) {
            release_channel(k, in);
            kern_portal_end_read(k, in, -B_EIO);
        }
        any = any || r != -B_EAGAIN;
    }
    if (any)
        assign(k);
    return any;
}

/* Whether what the read holds can be given back: an announcement to the queue it was taken from, if
 * there is a buffer for it, and a channel on which nothing comes yet. */
static bool give_back(struct kern_ikc *k, struct kern_portal_in *in)
{
    const struct kern_port *p = &box(k)->port[in->o.index];
    if (in->matched && !kern_store_can_take(&box(k)->store[SHARE_REMOTE], p->used[SHARE_REMOTE]))
        return false;
    if (in->reading == READ_GRANTED) {
        if (hal_portal_revoke(in->channel) < 0)
            return false;
        release_channel(k, in);
    }
    return true;
}

long kern_portal_cancel_read(struct kern_ikc *k, struct kern_portal_in *in)
{
    int port = in->o.index;
    if (in->reading == READ_COPY || k->carrier->fixed(k, &in->o))
        return -B_EBUSY;
    if (!give_back(k, in)) {
        in->cancel = true; /* its writer comes, or says that it withdrew */
        return -B_EBUSY;
    }
    if (in->matched)
        kern_port_restore(k, box(k), port, in->from.node, in->from.port, in->serial);
    leave_want(k, in);
    in->matched = false;
    in->reading = READ_IDLE;
    assign(k);
    return 0;
}

void kern_portal_bury_reads(struct kern_ikc *k, int node)
{
    for (uint32_t i = 0; i < box(k)->reach; i++) {
        struct kern_portal_in *in = &k->portal_in[i];
        if (in->reading != READ_MATCH)
            continue;
        if (in->asked.node == node ||
            (in->from.node == node && in->matched && k->carrier->fixed(k, &in->o))) {
            kern_portal_end_read(k, in, -B_EIO);
        } else if (in->matched && in->from.node == node) {
            leave_want(k, in);
            search_again(k, in);
        }
    }
}
