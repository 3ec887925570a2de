/* SPDX-License-Identifier: MIT */
/* Virtual mailboxes: sys/k_mailbox.h over the transport of link.c and the ports of port.c. */
#include "ikc/internal.h"

#include <base/error.h>
#include <base/mem.h>
#include <hal/mem.h>
#include <kernel/call.h>
#include <kernel/cluster.h>

static struct kern_mail_in *in_of(struct kern_object *o)
{
    return b_container(o, struct kern_mail_in, o);
}

static struct kern_mail_out *out_of(struct kern_object *o)
{
    return b_container(o, struct kern_mail_out, o);
}

struct kern_object *kern_mail_find(struct kern_ikc *k, long id, enum kern_role role)
{
    uint32_t index = (uint32_t)id & ((1u << OBJECT_INDEX_BITS) - 1);
    if (index >= k->box[K_MAILBOX].ports)
        return NULL;
    struct kern_object *o = role == KERN_IN ? &k->mail_in[index].o : &k->mail_out[index].o;
    return o->used && kern_object_id(o) == id ? o : NULL;
}

/* Reading -------------------------------------------------------------------------------------- */

bool kern_mail_wanted(struct kern_ikc *k, int port, struct kern_address *want)
{
    *want = k->mail_in[port].filter;
    return k->mail_in[port].reading;
}

static void finish_read(struct kern_ikc *k, struct kern_mail_in *in, const struct kern_letter *l,
                        const void *data)
{
    size_t n = l->size < in->n ? l->size : in->n;
    if (n > 0)
        hal_mem_copy(in->buf, data, n);
    if (in->from)
        *in->from = (struct k_source){l->from_node, l->from_port};
    long result = l->size <= in->n ? l->size : -B_EMSGSIZE;
    in->reading = false;
    kern_op_end(k, &in->o, result, (int64_t)n);
}

bool kern_mail_accept(struct kern_ikc *k, int port, const struct kern_letter *l, const void *data)
{
    struct kern_mail_in *in = &k->mail_in[port];
    if (!in->reading || !kern_wants(in->filter, l->from_node, l->from_port))
        return false;
    finish_read(k, in, l, data);
    return true;
}

void kern_mail_start_read(struct kern_ikc *k, struct kern_object *o)
{
    struct kern_mail_in *in = in_of(o);
    struct kern_box *b = &k->box[K_MAILBOX];
    int port = in->o.index;
    struct kern_letter *l = kern_port_take(k, b, port, in->filter);
    if (l) {
        finish_read(k, in, l, l->data);
        kern_port_free(k, b, port, l);
        kern_link_pump(k, k->self);
    } else if (in->filter.node >= 0 && kern_dead(k, in->filter.node)) {
        kern_op_end(k, &in->o, -B_EIO, -1);
    } else {
        in->reading = true;
        kern_port_reader(k, b, port);
    }
}

long kern_sys_mailbox_aread(long id, long buf, long n, long from, long a4)
{
    (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    struct kern_object *o;
    struct kern_flow *f = kern_op_enter(k, K_MAILBOX, KERN_IN, id, &o);
    long r = !o ? -B_EBADF : n < 0 || (n > 0 && buf == 0) ? -B_EINVAL : 0;
    if (r == 0 && (r = kern_op_claim(o)) == 0) {
        struct kern_mail_in *in = in_of(o);
        in->buf = (void *)buf;
        in->n = (size_t)n;
        in->from = (struct k_source *)from;
    }
    return kern_op_leave(k, f, o, r);
}

/* Writing -------------------------------------------------------------------------------------- */

static const struct hal_mail *compose(struct kern_ikc *k, struct kern_item *i,
                                      struct hal_mail *scratch, size_t *used)
{
    (void)k, (void)scratch;
    struct kern_mail_out *out = b_container(i, struct kern_mail_out, item);
    struct wire_header h = {.kind = WIRE_MESSAGE,
                            .facility = K_MAILBOX,
                            .size = out->item.size,
                            .flags = i->reserved ? WIRE_RESERVED : 0,
                            .to = i->port,
                            .from = i->index};
    memcpy(out->mail.header, &h, sizeof h);
    *used = out->item.size;
    return &out->mail;
}

static void verdict(struct kern_ikc *k, struct kern_item *i, int v)
{
    struct kern_mail_out *out = b_container(i, struct kern_mail_out, item);
    if (v == WIRE_BUSY) {
        if (out->cancel && kern_link_recall(k, i))
            kern_op_end(k, &out->o, -B_ECANCELED, -1);
        return; /* kept back until a READY */
    }
    int error = v == WIRE_STORED ? 0 : v == WIRE_NOPORT ? -B_ENOTCONN : v < 0 ? v : -B_EPROTO;
    kern_op_end(k, &out->o, error < 0 ? error : out->item.size, error < 0 ? -1 : out->item.size);
}

static const struct kern_item_class mail_class = {K_MAILBOX, true, compose, verdict, false};

void kern_mail_out_init(struct kern_mail_out *out)
{
    out->item.class = &mail_class;
    out->item.index = out->o.index;
}

long kern_mail_resolve(const struct kern_ikc *k, struct kern_address own, long node, long port,
                       struct kern_address *to)
{
    bool named = node != K_ANY || port != K_ANY;
    if ((own.node < 0) != named)
        return -B_EINVAL;
    if (named && (node == K_ANY || port == K_ANY))
        return -B_EINVAL;
    long r = kern_address_check(k, node, port, k->box[K_MAILBOX].ports);
    *to = named ? (struct kern_address){(int16_t)node, (int16_t)port} : own;
    return r;
}

void kern_mail_start_write(struct kern_ikc *k, struct kern_object *o)
{
    struct kern_item *i = &out_of(o)->item;
    kern_link_post(k, i, i->to);
}

long kern_sys_mailbox_awrite(long id, long node, long port, long buf, long n)
{
    struct kern_ikc *k = kern_cluster()->ikc;
    struct kern_object *o;
    struct kern_flow *f = kern_op_enter(k, K_MAILBOX, KERN_OUT, id, &o);
    struct kern_address to = {K_ANY, K_ANY};
    long r = -B_EBADF;
    if (o) {
        r = n < 0 || n > HAL_MAIL_DATA || (n > 0 && buf == 0)
                ? -B_EINVAL
                : kern_mail_resolve(k, out_of(o)->remote, node, port, &to);
    }
    if (r == 0 && (r = kern_op_claim(o)) == 0) {
        struct kern_mail_out *out = out_of(o);
        if (n > 0)
            hal_mem_copy(out->mail.data, (const void *)buf, (size_t)n);
        out->item.size = (uint8_t)n;
        out->cancel = false;
        out->item.port = (uint16_t)to.port;
        out->item.to = (uint16_t)to.node;
    }
    return kern_op_leave(k, f, o, r);
}

/* Objects -------------------------------------------------------------------------------------- */

long kern_sys_mailbox_create(long port, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    struct kern_box *b = &k->box[K_MAILBOX];
    hal_lock(&k->lock);
    long r = kern_object_choose(k, K_MAILBOX, KERN_IN, port, b->ports);
    if (r >= 0) {
        int index = (int)r;
        struct kern_mail_in *in = &k->mail_in[index];
        in->filter = (struct kern_address){K_ANY, K_ANY};
        in->reading = false;
        r = kern_object_open(k, &in->o);
        kern_stat_add(k, K_MAILBOX, K_STAT_CREATES, 1);
        kern_port_open(k, b, index);
    }
    hal_unlock(&k->lock);
    return r;
}

/* Is there a message that came, and that nobody knows yet? */
static bool has_mail(struct kern_ikc *k, struct kern_mail_in *in)
{
    bool idle = kern_op_state(k, &in->o) == OP_IDLE || in->reading;
    return !idle || !b_queue_empty(&k->box[K_MAILBOX].port[in->o.index].letters);
}

long kern_sys_mailbox_unlink(long id, long if_empty, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock);
    struct kern_object *o = kern_mail_find(k, id, KERN_IN);
    long r = -B_EBADF;
    if (o && if_empty && has_mail(k, in_of(o))) {
        r = -B_EBUSY;
    } else if (o) {
        in_of(o)->reading = false;
        kern_object_close(k, o);
        kern_stat_add(k, K_MAILBOX, K_STAT_UNLINKS, 1);
        r = kern_port_close(k, &k->box[K_MAILBOX], o->index);
    }
    hal_unlock(&k->lock);
    return r;
}

long kern_sys_mailbox_open(long node, long port, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    struct kern_box *b = &k->box[K_MAILBOX];
    long r = (node == K_ANY) != (port == K_ANY) ? -B_EINVAL
                                                : kern_address_check(k, node, port, b->ports);
    hal_lock(&k->lock);
    if (r == 0)
        r = kern_object_choose(k, K_MAILBOX, KERN_OUT, K_ANY, b->ports);
    if (r >= 0) {
        struct kern_mail_out *out = &k->mail_out[r];
        out->remote = (struct kern_address){(int16_t)node, (int16_t)port};
        r = kern_object_open(k, &out->o);
        kern_stat_add(k, K_MAILBOX, K_STAT_OPENS, 1);
    }
    hal_unlock(&k->lock);
    return r;
}

long kern_sys_mailbox_close(long id, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock);
    struct kern_object *o = kern_mail_find(k, id, KERN_OUT);
    long r = !o ? -B_EBADF : kern_op_state(k, o) != OP_IDLE || out_of(o)->posted > 0 ? -B_EBUSY : 0;
    if (r == 0) {
        kern_object_close(k, o);
        kern_stat_add(k, K_MAILBOX, K_STAT_CLOSES, 1);
    }
    hal_unlock(&k->lock);
    return r;
}

long kern_mail_cancel(struct kern_ikc *k, struct kern_object *o)
{
    if (o->role == KERN_IN) {
        in_of(o)->reading = false;
    } else if (!kern_link_recall(k, &out_of(o)->item)) {
        out_of(o)->cancel = true;
        return -B_EBUSY;
    }
    kern_op_drop(k, o);
    return 0;
}

/* Readers that want messages of that cluster only: everything that came from it is here by now. */
void kern_mail_bury(struct kern_ikc *k, int node)
{
    for (uint32_t i = 0; i < k->box[K_MAILBOX].reach; i++) {
        struct kern_mail_in *in = &k->mail_in[i];
        if (in->reading && in->filter.node == node) {
            in->reading = false;
            kern_op_end(k, &in->o, -B_EIO, -1);
        }
    }
}

static struct kern_address *filter_of(struct kern_object *o)
{
    return &in_of(o)->filter;
}

long kern_sys_mailbox_control(long id, long what, long a, long b, long a4)
{
    (void)a4;
    return kern_object_control(K_MAILBOX, id, what, a, b, filter_of);
}
