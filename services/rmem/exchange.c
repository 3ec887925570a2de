/* SPDX-License-Identifier: MIT */
/* One exchange of the flow with a memory server: a message that asks, and a transfer that answers.
 * To read, the grant goes ahead of the request, so the server can send at once; to write, the
 * transfer waits here for the grant with which the server takes it. Only what failed is answered
 * by a message. */
#include "rmem/flow.h"

#include <base/error.h>
#include <base/mem.h>
#include <sys/k_ikc.h>
#include <sys/k_mailbox.h>
#include <sys/k_portal.h>
#include "rmem/wire.h"

static int portal(const struct svc_rmem_flow *f)
{
    return f->outward ? f->portal_out : f->portal_in;
}

static int listen(struct svc_rmem_flow *f)
{
    int r = f->reading ? 0 : k_mailbox_aread(f->mail_in, &f->answer, sizeof f->answer, &f->from);
    f->reading = r == 0;
    return r;
}

int svc_rmem_ask(struct svc_rmem *r, uint64_t at, const void *buf, size_t size, bool outward)
{
    struct svc_rmem_flow *f = &r->flow;
    int peer = rmem_server_of(at);
    if (peer >= r->servers || r->server[peer].node == SVC_NOBODY) {
        return -B_EFAULT;
    }
    f->peer = peer;
    f->outward = outward;
    int e = listen(f);
    if (e == 0) {
        struct k_source other = {r->server[peer].node,
                                 outward ? r->server[peer].in : r->server[peer].out};
        e = outward ? k_portal_awrite(f->portal_out, &other, buf, size, K_PORTAL_QUIET)
                    : k_portal_aread(f->portal_in, &other, (void *)buf, size, NULL);
        f->moving = e == 0;
        f->size = size;
    }
    if (e == 0) {
        struct svc_message m = {.h = {.service = SVC_RMEM,
                                      .opcode = outward ? RMEM_WRITE : RMEM_READ,
                                      .node = (uint16_t)r->cluster,
                                      .port = (uint16_t)f->port_mail,
                                      .serial = ++f->serial}};
        struct rmem_move body = {.block = rmem_block_of(at),
                                 .offset = (uint32_t)(at - rmem_page_of(at)),
                                 .size = (uint32_t)size,
                                 .port = outward ? f->port_out : f->port_in};
        svc_put(m.body, &body, sizeof body);
        e = k_mailbox_awrite(f->mail_out, r->server[peer].node, svc_port(SVC_RMEM), &m,
                             sizeof m.h + sizeof body);
        f->asked = e == 0;
    }
    return e;
}

/* A message: is it why the present exchange fails? */
static int refusal(const struct svc_rmem *r, long n)
{
    const struct svc_rmem_flow *f = &r->flow;
    const struct svc_header *h = &f->answer.h;
    bool ours = n >= (long)sizeof *h && f->from.node == r->server[f->peer].node &&
                h->service == SVC_RMEM && (h->opcode & SVC_ANSWER) != 0 && h->serial == f->serial;
    return ours ? h->status < 0 ? h->status : -B_EPROTO : 0;
}

/* The result of an operation, or -B_ETIMEDOUT: not yet. */
static long result(enum k_facility facility, int id)
{
    return k_ikc_wait(facility, id, 0);
}

int svc_rmem_answered(struct svc_rmem *r)
{
    struct svc_rmem_flow *f = &r->flow;
    long n;
    if (f->moving && (n = result(K_PORTAL, portal(f))) != -B_ETIMEDOUT) {
        f->moving = false;
        if (n != (long)f->size) {
            return n < 0 ? (int)n : -B_EPROTO;
        }
    }
    if (f->asked && (n = result(K_MAILBOX, f->mail_out)) != -B_ETIMEDOUT) {
        f->asked = false;
        if (n < 0) {
            return (int)n;
        }
    }
    if (!f->moving && !f->asked) {
        return 1;
    }
    while (f->reading && (n = result(K_MAILBOX, f->mail_in)) != -B_ETIMEDOUT) {
        f->reading = false;
        int e = refusal(r, n);
        if (e < 0 || (e = listen(f)) < 0) {
            return e;
        }
    }
    return 0;
}

static bool ended(enum k_facility facility, int id)
{
    return k_ikc_cancel(facility, id) == 0 || result(facility, id) != -B_ETIMEDOUT;
}

bool svc_rmem_withdrawn(struct svc_rmem *r)
{
    struct svc_rmem_flow *f = &r->flow;
    f->moving = f->moving && !ended(K_PORTAL, portal(f));
    f->asked = f->asked && !ended(K_MAILBOX, f->mail_out);
    return !f->moving && !f->asked;
}
