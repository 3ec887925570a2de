/* SPDX-License-Identifier: MIT */
/* Mails that lie in their owner's memory: an output may have many under way, and its owner does not
 * wait for any. They are items like those of other writes; link.c keeps their order. Of one in the
 * memory of a program in user mode the item is the kernel's own, as it believes nothing that may be
 * written there; data is read where it lies, when it is sent. */
#include "ikc/internal.h"

#include <base/error.h>
#include <base/mem.h>
#include <hal/user.h>
#include <kernel/call.h>
#include <kernel/cluster.h>
#include <sys/k_mailbox.h>

/* What the kernel keeps in a mail while it is under way. */
_Static_assert(sizeof(struct kern_item) <= sizeof(((struct k_mail *)0)->kernel), "it has room");
_Static_assert(offsetof(struct k_mail, data) - offsetof(struct k_mail, header) == HAL_MAIL_HEADER,
               "header and data of a mail lie as on the wire");

static struct k_mail *mail_of(struct kern_item *i)
{
    return (struct k_mail *)((char *)i - offsetof(struct k_mail, kernel));
}

static void head(struct kern_ikc *k, const struct kern_item *i, void *header)
{
    int follows = k->dest[i->to].streamed > 0 ? WIRE_FOLLOWS : 0;
    struct wire_header h = {
        .kind = WIRE_MESSAGE,
        .facility = K_MAILBOX,
        .size = i->size,
        .flags = (uint8_t)(WIRE_STREAM | follows | (i->reserved ? WIRE_RESERVED : 0)),
        .to = i->port,
        .from = i->index};
    memcpy(header, &h, sizeof h);
}

static const struct hal_mail *compose(struct kern_ikc *k, struct kern_item *i,
                                      struct hal_mail *scratch, size_t *used)
{
    (void)scratch;
    struct k_mail *m = mail_of(i);
    head(k, i, m->header);
    *used = i->size;
    return (const struct hal_mail *)m->header;
}

/* A mail is done. Its owner may use it again as soon as it is not busy. */
static void finish(struct kern_ikc *k, const struct kern_item *i, struct k_mail *m, int v)
{
    struct kern_mail_out *out = &k->mail_out[i->index];
    out->posted--;
    if (v == WIRE_STORED)
        kern_op_count(k, &out->o, i->size);
    int result = v == WIRE_STORED ? 0 : v == WIRE_NOPORT ? -B_ENOTCONN : v < 0 ? v : -B_EPROTO;
    m->result = result;
    if (__atomic_exchange_n(&m->busy, 0, __ATOMIC_ACQ_REL) == 2 || result < 0)
        kern_op_announce(k, &out->o);
}

/* One that is refused is kept back until a READY. */
static void verdict(struct kern_ikc *k, struct kern_item *i, int v)
{
    if (v != WIRE_BUSY)
        finish(k, i, mail_of(i), v);
}

static const struct kern_item_class stream_class = {K_MAILBOX, true, compose, verdict, true};

/* Of user mode --------------------------------------------------------------------------------- */

struct kern_mail_user {
    struct kern_item item;
    union {
        struct k_mail *mail; /* in the program's memory, which user mode may write as it likes */
        struct kern_mail_user *next; /* that is free */
    } is;
};

/* For each output as many as may be under way to a cluster. */
static uint32_t users_of(const struct hal_machine *m)
{
    return hal_user_grain() == 1 ? 0 : m->mailbox_ports * m->mail_slots;
}

size_t kern_users_bytes(const struct hal_machine *m)
{
    return users_of(m) * sizeof(struct kern_mail_user);
}

static void give(struct kern_ikc *k, struct kern_mail_user *u)
{
    u->is.next = k->users;
    k->users = u;
}

void kern_users_init(struct kern_ikc *k, void *memory)
{
    struct kern_mail_user *u = memory;
    for (uint32_t i = 0; i < users_of(k->machine); i++)
        give(k, &u[i]);
}

static struct kern_mail_user *user_of(struct kern_item *i)
{
    return b_container(i, struct kern_mail_user, item);
}

static const struct hal_mail *compose_user(struct kern_ikc *k, struct kern_item *i,
                                           struct hal_mail *scratch, size_t *used)
{
    const struct kern_mail_user *u = user_of(i);
    head(k, i, scratch->header);
    memcpy(scratch->data, u->is.mail->data, i->size);
    *used = i->size;
    return scratch;
}

static void verdict_user(struct kern_ikc *k, struct kern_item *i, int v)
{
    struct kern_mail_user *u = user_of(i);
    if (v != WIRE_BUSY) {
        finish(k, i, u->is.mail, v);
        give(k, u);
    }
}

static const struct kern_item_class user_class = {K_MAILBOX, true, compose_user, verdict_user,
                                                  true};

/* Posting -------------------------------------------------------------------------------------- */

static long check(struct kern_ikc *k, const struct kern_object *o, long node, long port,
                  const struct k_mail *m, uint32_t size, struct kern_address *to)
{
    if (!o)
        return -B_EBADF;
    if (!m || (uintptr_t)m % _Alignof(struct k_mail) != 0 || size > HAL_MAIL_DATA)
        return -B_EINVAL;
    const struct kern_mail_out *out = b_container(o, const struct kern_mail_out, o);
    if (__atomic_load_n(&m->busy, __ATOMIC_RELAXED) != 0 || out->posted == UINT16_MAX)
        return -B_EBUSY;
    return kern_mail_resolve(k, out->remote, node, port, to);
}

/* The mail is busy already, for whoever may look. */
static void start(struct kern_ikc *k, struct kern_item *i, const struct kern_item_class *class,
                  struct kern_object *o, struct kern_address to, uint32_t size, bool urgent)
{
    *i = (struct kern_item){.class = class,
                            .port = (uint16_t)to.port,
                            .index = o->index,
                            .size = (uint8_t)size,
                            .urgent = urgent};
    k->mail_out[o->index].posted++;
    kern_link_post(k, i, to.node);
}

static long post(struct kern_ikc *k, struct kern_object *o, long node, long port, struct k_mail *m)
{
    struct kern_address to = {K_ANY, K_ANY};
    uint32_t size = m ? m->size : 0;
    long r = check(k, o, node, port, m, size, &to);
    if (r == 0) {
        __atomic_store_n(&m->busy, 1, __ATOMIC_RELAXED);
        start(k, (struct kern_item *)m->kernel, &stream_class, o, to, size, m->urgent != 0);
    }
    return r;
}

/* Other threads may write m meanwhile: its size is read once. */
static long post_user(struct kern_ikc *k, struct kern_object *o, long node, long port,
                      struct k_mail *m)
{
    struct kern_address to = {K_ANY, K_ANY};
    struct kern_mail_user *u = k->users;
    uint32_t size = m ? __atomic_load_n(&m->size, __ATOMIC_RELAXED) : 0;
    long r = m && !u ? -B_ENOMEM : check(k, o, node, port, m, size, &to);
    if (r == 0) {
        k->users = u->is.next;
        u->is.mail = m;
        __atomic_store_n(&m->busy, 1, __ATOMIC_RELAXED);
        start(k, &u->item, &user_class, o, to, size, m->urgent != 0);
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
    long r = (here->user ? post_user : post)(k, o, node, port, (struct k_mail *)mail);
    hal_unlock(&k->lock);
    return r;
}
