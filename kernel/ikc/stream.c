/* SPDX-License-Identifier: MIT */
/* Mails that lie in their owner's memory: an output may have many under way, and its owner does not
 * wait for any. They are items like those of other writes; link.c keeps their order. One in the
 * memory of a program in user mode is copied: the links of the items must be the kernel's own. */
#include "ikc/internal.h"

#include <base/error.h>
#include <base/mem.h>
#include <hal/user.h>
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

/* A mail of n bytes is done. Its owner may use it again as soon as it is not busy. */
static void finish(struct kern_ikc *k, struct kern_mail_out *out, struct k_mail *m, uint32_t n,
                   int v)
{
    out->posted--;
    if (v == WIRE_STORED)
        kern_op_count(k, &out->o, n);
    int result = v == WIRE_STORED ? 0 : v == WIRE_NOPORT ? -B_ENOTCONN : v < 0 ? v : -B_EPROTO;
    m->result = result;
    if (__atomic_exchange_n(&m->busy, 0, __ATOMIC_ACQ_REL) == 2 || result < 0)
        kern_op_announce(k, &out->o);
}

/* One that is refused is kept back until a READY. */
static void verdict(struct kern_ikc *k, struct kern_item *i, int v)
{
    struct k_mail *m = mail_of(i);
    if (v != WIRE_BUSY)
        finish(k, b_container(i, struct posted, item)->out, m, m->size, v);
}

static const struct kern_item_class stream_class = {K_MAILBOX, true, compose, verdict, true};

/* Copies --------------------------------------------------------------------------------------- */

struct kern_mail_copy {
    struct k_mail mail;
    struct k_mail *of; /* in the program's memory, which user mode may write as long as it runs */
    struct kern_mail_copy *next; /* that is free */
};

/* For each output as many as may be under way to a cluster. */
static uint32_t copies_of(const struct hal_machine *m)
{
    return hal_user_grain() == 1 ? 0 : m->mailbox_ports * m->mail_slots;
}

size_t kern_copies_bytes(const struct hal_machine *m)
{
    return copies_of(m) * sizeof(struct kern_mail_copy);
}

static void give(struct kern_ikc *k, struct kern_mail_copy *c)
{
    c->next = k->copies;
    k->copies = c;
}

void kern_copies_init(struct kern_ikc *k, void *memory)
{
    struct kern_mail_copy *c = memory;
    for (uint32_t i = 0; i < copies_of(k->machine); i++)
        give(k, &c[i]);
}

static void verdict_copy(struct kern_ikc *k, struct kern_item *i, int v)
{
    struct kern_mail_copy *c = b_container(mail_of(i), struct kern_mail_copy, mail);
    if (v != WIRE_BUSY) {
        finish(k, b_container(i, struct posted, item)->out, c->of, c->mail.size, v);
        give(k, c);
    }
}

static const struct kern_item_class copy_class = {K_MAILBOX, true, compose, verdict_copy, true};

/* Posting -------------------------------------------------------------------------------------- */

static long check(struct kern_ikc *k, const struct kern_object *o, long node, long port,
                  const struct k_mail *m, struct kern_address *to)
{
    if (!o)
        return -B_EBADF;
    if (!m || (uintptr_t)m % _Alignof(struct k_mail) != 0 || m->size > HAL_MAIL_DATA)
        return -B_EINVAL;
    const struct kern_mail_out *out = b_container(o, const struct kern_mail_out, o);
    if (__atomic_load_n(&m->busy, __ATOMIC_RELAXED) != 0 || out->posted == UINT16_MAX)
        return -B_EBUSY;
    return kern_mail_resolve(k, out->remote, node, port, to);
}

/* m is busy already, for whoever may look. */
static void start(struct kern_ikc *k, struct k_mail *m, const struct kern_item_class *class,
                  struct kern_object *o, struct kern_address to)
{
    struct posted *p = (struct posted *)m->kernel;
    *p = (struct posted){.item = {.class = class,
                                  .port = (uint16_t)to.port,
                                  .index = o->index,
                                  .urgent = m->urgent != 0},
                         .out = b_container(o, struct kern_mail_out, o)};
    p->out->posted++;
    kern_link_post(k, &p->item, to.node);
}

static long post(struct kern_ikc *k, struct kern_object *o, long node, long port, struct k_mail *m)
{
    struct kern_address to = {K_ANY, K_ANY};
    long r = check(k, o, node, port, m, &to);
    if (r == 0) {
        __atomic_store_n(&m->busy, 1, __ATOMIC_RELAXED);
        start(k, m, &stream_class, o, to);
    }
    return r;
}

/* Other threads may write m meanwhile: the copy is what is checked and sent. */
static long post_copy(struct kern_ikc *k, struct kern_object *o, long node, long port,
                      struct k_mail *m)
{
    struct kern_address to = {K_ANY, K_ANY};
    struct kern_mail_copy *c = k->copies;
    if (!m || !c)
        return m ? -B_ENOMEM : -B_EINVAL;
    c->mail = *m;
    long r = check(k, o, node, port, &c->mail, &to);
    if (r == 0) {
        k->copies = c->next;
        c->of = m;
        __atomic_store_n(&m->busy, 1, __ATOMIC_RELAXED);
        start(k, &c->mail, &copy_class, o, to);
    }
    return r;
}

long kern_sys_mailbox_post(long id, long node, long port, long mail, long a4)
{
    (void)a4;
    struct cluster *here = kern_cluster();
    struct kern_ikc *k = here->ikc;
    hal_lock(&k->lock);
    struct kern_object *o = kern_mail_find(k, id, KERN_OUT);
    long r = (here->user ? post_copy : post)(k, o, node, port, (struct k_mail *)mail);
    hal_unlock(&k->lock);
    return r;
}
