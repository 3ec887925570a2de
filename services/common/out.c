/* SPDX-License-Identifier: MIT */
/* Outgoing messages: a few lines (output mailboxes) carry one each, the others wait in order. A
 * message that its receiver does not take gives its line to the next one after a while and queues
 * up again, so receivers that sleep delay the others by at most a round of slices. */
#include "common/frame.h"

#include <base/error.h>
#include <base/mem.h>
#include <sys/k_ikc.h>
#include <sys/k_info.h>
#include <sys/k_mailbox.h>

void svc_out_init(struct svc_server *s)
{
    for (int i = 0; i < SVC_OUT; i++)
        b_queue_append(&s->free, &s->out[i].node);
}

int svc_room(const struct svc_server *s)
{
    return SVC_OUT - s->used - SVC_ROOM;
}

bool svc_may_ask(struct svc_server *s)
{
    bool room = svc_room(s) > 0;
    s->wanted |= !room;
    return room;
}

/* Are places of messages needed that nobody takes? */
static bool needs(const struct svc_server *s)
{
    return svc_room(s) < 0 || s->wanted || s->ending;
}

static void finish(struct svc_server *s, struct svc_out *o, int result)
{
    svc_sent *sent = o->sent;
    void *cookie = o->cookie;
    uint64_t number = o->number;
    s->dropped += result < 0;
    s->used--;
    b_queue_append(&s->free, &o->node);
    if (sent)
        sent(s, cookie, number, result);
}

/* What became of the message on line i. Its receiver may refuse it after it was to be taken back:
 * then, too, it never left. */
static void settle(struct svc_server *s, int i, uint64_t now)
{
    struct svc_out *o = s->busy[i];
    bool late = needs(s) && svc_late(s, o->deadline);
    bool yield = !b_queue_empty(&s->waiting) && now >= s->since[i] + svc_slice(s);
    long r = -B_ECANCELED;
    if (k_ikc_test(K_MAILBOX, s->line[i]) != 0)
        r = k_ikc_wait(K_MAILBOX, s->line[i], 0);
    else if (!(late || yield) || k_ikc_cancel(K_MAILBOX, s->line[i]) != 0)
        return;
    s->busy[i] = NULL;
    if (r == -B_ECANCELED && !late)
        b_queue_append(&s->waiting, &o->node);
    else
        finish(s, o, r == -B_ECANCELED ? -B_ETIMEDOUT : r < 0 ? (int)r : 0);
}

/* True if a message ended at once. */
static bool start(struct svc_server *s, int i, uint64_t now)
{
    bool ended = false;
    struct b_node *node;
    while (!s->busy[i] && (node = b_queue_pop(&s->waiting))) {
        struct svc_out *o = b_container(node, struct svc_out, node);
        int r = k_mailbox_awrite(s->line[i], o->to_node, o->to_port, &o->m, o->size);
        if (r == 0) {
            s->busy[i] = o;
            s->since[i] = now;
        } else {
            finish(s, o, r);
            ended = true;
        }
    }
    return ended;
}

void svc_out_settle(struct svc_server *s, uint64_t now)
{
    for (int i = 0; i < SVC_LINES; i++)
        if (s->busy[i])
            settle(s, i, now);
}

/* While nobody waits for its line or place a message stays as long as it may take. */
static uint64_t due(const struct svc_server *s, int i, uint64_t now)
{
    uint64_t slice = s->since[i] + svc_slice(s);
    if (b_queue_empty(&s->waiting) && !needs(s))
        return K_FOREVER;
    return slice > now ? slice : now + svc_slice(s) + 1;
}

uint64_t svc_out_start(struct svc_server *s, uint64_t now)
{
    uint64_t next = K_FOREVER;
    for (int i = 0; i < SVC_LINES; i++)
        if (start(s, i, now))
            next = now;
    for (int i = 0; i < SVC_LINES; i++) {
        uint64_t t = s->busy[i] ? due(s, i, now) : K_FOREVER;
        next = t < next ? t : next;
    }
    return next;
}

void svc_send(struct svc_server *s, int node, int port, const struct svc_message *m, size_t size,
              svc_sent *sent, void *cookie, uint64_t number)
{
    struct svc_out *o = b_container(b_queue_pop(&s->free), struct svc_out, node);
    s->used++;
    memcpy(&o->m, m, size);
    o->to_node = (uint16_t)node;
    o->to_port = (uint16_t)port;
    o->size = (uint8_t)size;
    o->deadline = svc_patience_end(s);
    o->sent = sent;
    o->cookie = cookie;
    o->number = number;
    b_queue_append(&s->waiting, &o->node);
}

void svc_answer(struct svc_server *s, const struct svc_ticket *t, int status, const void *body,
                size_t size, svc_sent *sent, void *cookie, uint64_t number)
{
    if (t->port == SVC_NOBODY)
        return;
    struct svc_message m = {.h = {.service = t->service,
                                  .opcode = t->opcode | SVC_ANSWER,
                                  .node = t->node,
                                  .port = t->port,
                                  .serial = t->serial,
                                  .status = status}};
    svc_bytes(m.body, body, size);
    svc_send(s, t->node, t->port, &m, sizeof m.h + size, sent, cookie, number);
}

void svc_answer_status(struct svc_server *s, const struct svc_ticket *t, int status)
{
    svc_answer(s, t, status, NULL, 0, NULL, NULL, 0);
}
