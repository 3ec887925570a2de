/* SPDX-License-Identifier: MIT */
/* One exchange of the flow with a memory server: a message that asks, and a transfer that answers.
 * To read, the grant goes ahead of the request, so the server can send at once; to write, the
 * transfer waits here for the grant with which the server takes it. Only what failed is answered
 * by a message.
 *
 * Paced, as the ancestor did it: the server says when it is ready, then comes the transfer, then a
 * message that says how it went. */
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

/* The cluster's end of the transfer: to read, its grant. */
static int begin(struct svc_rmem_flow *f)
{
    const struct svc_rmem *r = f->r;
    struct k_source other = {r->server[f->peer].node,
                             f->outward ? r->server[f->peer].in : r->server[f->peer].out};
    int e = f->outward ? k_portal_awrite(f->portal_out, &other, f->buf, f->size, K_PORTAL_QUIET)
                       : k_portal_aread(f->portal_in, &other, f->buf, f->size, NULL);
    f->moving = e == 0;
    return e;
}

/* Sends a message to `node`, kept until it is stored there. */
static int post(struct svc_rmem_flow *f, int node, struct svc_header h, const void *body, size_t n)
{
    struct svc_message m = {.h = h};
    m.h.node = (uint16_t)f->r->cluster;
    m.h.serial = ++f->serial;
    svc_put(m.body, body, n);
    int e = k_mailbox_awrite(f->mail_out, node, svc_port((enum svc_service)h.service), &m,
                             sizeof m.h + n);
    f->asked = e == 0;
    return e;
}

int svc_rmem_ask(struct svc_rmem_flow *f, uint64_t at, const void *buf, size_t size, bool outward)
{
    const struct svc_rmem *r = f->r;
    int peer = rmem_server_of(at);
    if (peer >= r->servers || r->server[peer].node == SVC_NOBODY)
        return -B_EFAULT;
    f->peer = peer;
    f->outward = outward;
    f->buf = (void *)buf;
    f->size = size;
    bool paced = r->how.protocol->paced;
    f->messages = paced ? 2 : 0;
    int e = listen(f);
    e = e < 0 || paced ? e : begin(f);
    if (e == 0) {
        int read = paced ? RMEM_READ_PACED : RMEM_READ,
            write = paced ? RMEM_WRITE_PACED : RMEM_WRITE;
        struct svc_header h = {
            .service = SVC_RMEM, .opcode = (uint8_t)(outward ? write : read), .port = f->port_mail};
        struct rmem_move body = {.block = rmem_block_of(at),
                                 .offset = (uint32_t)(at - rmem_page_of(at)),
                                 .size = (uint32_t)size,
                                 .port = outward ? f->port_out : f->port_in};
        e = post(f, r->server[peer].node, h, &body, sizeof body);
    }
    return e;
}

/* Of a message that came: 1 it is what the present exchange waits for, 0 it is none of ours. */
static int judge(const struct svc_rmem_flow *f, long n)
{
    const struct svc_header *h = &f->answer.h;
    const struct svc_rmem *r = f->r;
    int node = f->asking ? svc_home() : r->server[f->peer].node;
    enum svc_service service = f->asking ? r->how.guard->service : SVC_RMEM;
    bool ours = n >= (long)sizeof *h && f->from.node == node && h->service == service &&
                (h->opcode & SVC_ANSWER) != 0 && h->serial == f->serial;
    bool due = f->asking || f->messages > 0;
    return !ours ? 0 : h->status < 0 ? h->status : due ? 1 : -B_EPROTO;
}

/* The result of an operation, or -B_ETIMEDOUT: not yet. */
static long result(enum k_facility facility, int id)
{
    return k_ikc_wait(facility, id, 0);
}

static bool over(const struct svc_rmem_flow *f)
{
    return !f->asking && !f->moving && !f->asked && f->messages == 0;
}

int svc_rmem_answered(struct svc_rmem_flow *f)
{
    long n;
    if (f->moving && (n = result(K_PORTAL, portal(f))) != -B_ETIMEDOUT) {
        f->moving = false;
        if (n != (long)f->size)
            return n < 0 ? (int)n : -B_EPROTO;
    }
    if (f->asked && (n = result(K_MAILBOX, f->mail_out)) != -B_ETIMEDOUT) {
        f->asked = false;
        if (n < 0)
            return (int)n;
    }
    while (!over(f) && f->reading && (n = result(K_MAILBOX, f->mail_in)) != -B_ETIMEDOUT) {
        f->reading = false;
        int verdict = judge(f, n), e = listen(f);
        if (verdict < 0 || e < 0)
            return verdict < 0 ? verdict : e;
        f->asking = f->asking && verdict == 0;
        if (verdict == 1 && f->messages > 0 && --f->messages == 1 && (e = begin(f)) < 0)
            return e;
    }
    return over(f);
}

static bool ended(enum k_facility facility, int id)
{
    return k_ikc_cancel(facility, id) == 0 || result(facility, id) != -B_ETIMEDOUT;
}

bool svc_rmem_withdrawn(struct svc_rmem_flow *f)
{
    f->asking = false;
    f->messages = 0;
    f->moving = f->moving && !ended(K_PORTAL, portal(f));
    f->asked = f->asked && !ended(K_MAILBOX, f->mail_out);
    return !f->moving && !f->asked;
}

const struct svc_rmem_protocol svc_rmem_direct = {"direct", false};
const struct svc_rmem_protocol svc_rmem_paper = {"paper", true};

/* The guard ------------------------------------------------------------------------------------ */

int svc_rmem_claim(struct svc_rmem_flow *f, uint64_t page, bool write)
{
    const struct svc_rmem_guard *g = f->r->how.guard;
    struct svc_header h = {.service = (uint8_t)g->service, .opcode = g->ask, .port = f->port_mail};
    struct svc_rmem_claim body = {page, write, 0};
    int e = listen(f);
    e = e < 0 ? e : post(f, svc_home(), h, &body, sizeof body);
    f->asking = e == 0;
    return e;
}

void svc_rmem_tell(struct svc_rmem_flow *f, uint64_t page)
{
    const struct svc_rmem_guard *g = f->r->how.guard;
    struct svc_header h = {.service = (uint8_t)g->service, .opcode = g->told, .port = SVC_NOBODY};
    post(f, svc_home(), h, &(struct svc_rmem_claim){page, 0, 0}, sizeof(struct svc_rmem_claim));
}

bool svc_rmem_told(struct svc_rmem_flow *f)
{
    f->asked = f->asked && result(K_MAILBOX, f->mail_out) == -B_ETIMEDOUT;
    return !f->asked;
}
