/* SPDX-License-Identifier: MIT */
/* Mails that lie in their owner's memory: an output may have many under way, and its owner does not
 * wait for any. They are items like those of other writes; link.c keeps their order. */
#include "ikc/internal.h"

#include <base/error.h>
#include <base/mem.h>
#include <kernel/call.h>
#include <kernel/cluster.h>
#include <sys/k_mailbox.h>

/* What the kernel keeps in a mail while it is under way. */
struct posted {
    struct kern_item item;
    struct kern_mail_out *out;
};
_Static_assert(sizeof(struct posted) <= sizeof(((struct k_mail *)0)->kernel), "it has room");
_Static_assert(offsetof(struct k_mail, data) - offsetof(struct k_mail, header) == HAL_MAIL_HEADER,
               "header and data of a mail lie as on the wire");

static struct k_mail *mail_of(struct kern_item *i)
{
    struct posted *p = b_container(i, struct posted, item);
    return (struct k_mail *)((char *)p - offsetof(struct k_mail, kernel));
}

static const struct hal_mail *compose(struct kern_ikc *k, struct kern_item *i,
                                      struct hal_mail *scratch, size_t *used)
{
    (void)scratch;
    struct k_mail *m = mail_of(i);
    int follows = k->dest[i->to].streamed > 0 ? WIRE_FOLLOWS : 0;
    struct wire_header h = {
        .kind = WIRE_MESSAGE,
        .facility = K_MAILBOX,
        .size = (uint8_t)m->size,
        .flags = (uint8_t)(WIRE_STREAM | follows | (i->reserved ? WIRE_RESERVED : 0)),
        .to = i->port,
        .from = i->index};
    memcpy(m->header, &h, sizeof h);
    *used = m->size;
    return (const struct hal_mail *)m->header;
}

/* Its owner may use the mail again as soon as it is not busy. */
static void verdict(struct kern_ikc *k, struct kern_item *i, int v)
{
    if (v == WIRE_BUSY) {
        return; /* kept back until a READY */
    }
    struct posted *p = b_container(i, struct posted, item);
    struct k_mail *m = mail_of(i);
    struct kern_mail_out *out = p->out;
    out->posted--;
    if (v == WIRE_STORED) {
        kern_op_count(k, &out->o, m->size);
    }
    m->result = v == WIRE_STORED ? 0 : v == WIRE_NOPORT ? -B_ENOTCONN : v < 0 ? v : -B_EPROTO;
    int result = m->result;
    if (__atomic_exchange_n(&m->busy, 0, __ATOMIC_ACQ_REL) == 2 || result < 0) {
        kern_op_announce(k, &out->o);
    }
}

static const struct kern_item_class stream_class = {K_MAILBOX, true, compose, verdict, true};

static long check(struct kern_ikc *k, const struct kern_object *o, long node, long port,
                  const struct k_mail *m, struct kern_address *to)
{
    if (o == NULL) {
        return -B_EBADF;
    }
    if (m == NULL || (uintptr_t)m % _Alignof(struct k_mail) != 0 || m->size > HAL_MAIL_DATA) {
        return -B_EINVAL;
    }
    const struct kern_mail_out *out = b_container(o, const struct kern_mail_out, o);
    if (__atomic_load_n(&m->busy, __ATOMIC_RELAXED) != 0 || out->posted == UINT16_MAX) {
        return -B_EBUSY;
    }
    return kern_mail_resolve(k, out->remote, node, port, to);
}

long kern_sys_mailbox_post(long id, long node, long port, long mail, long a4)
{
    (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    struct k_mail *m = (struct k_mail *)mail;
    struct kern_address to = {K_ANY, K_ANY};
    hal_lock(&k->lock);
    struct kern_object *o = kern_mail_find(k, id, KERN_OUT);
    long r = check(k, o, node, port, m, &to);
    if (r == 0) {
        struct posted *p = (struct posted *)m->kernel;
        *p = (struct posted){.item = {.class = &stream_class,
                                      .port = (uint16_t)to.port,
                                      .index = o->index,
                                      .urgent = m->urgent != 0},
                             .out = b_container(o, struct kern_mail_out, o)};
        p->out->posted++;
        __atomic_store_n(&m->busy, 1, __ATOMIC_RELAXED);
        kern_link_post(k, &p->item, to.node);
    }
    hal_unlock(&k->lock);
    return r;
}
