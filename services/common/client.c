/* SPDX-License-Identifier: MIT */
/* One request, one answer. Answers of requests that were given up are told by their serial. */
#include <svc/client.h>

#include <base/error.h>
#include <base/mem.h>
#include <sys/k_ikc.h>
#include <sys/k_info.h>
#include <sys/k_mailbox.h>
#include <sys/k_portal.h>

int svc_mailbox_create(void)
{
    int r = -B_ENOMEM;
    for (int port = svc_port(SVC_SERVICES); port >= 0; port--) {
        r = k_mailbox_create(port);
        if (r != -B_EBUSY)
            return r;
    }
    return r;
}

int svc_portal_create(void)
{
    struct k_info info;
    int r = -B_ENOMEM;
    k_info(&info);
    for (int port = info.portal_ports - 1; port >= 0; port--) {
        r = k_portal_create(port);
        if (r != -B_EBUSY)
            return r;
    }
    return r;
}

int svc_client_open(struct svc_client *c)
{
    *c = (struct svc_client){.in = svc_mailbox_create(), .out = -1, .node = K_ANY};
    if (c->in < 0)
        return c->in;
    c->out = k_mailbox_open(K_ANY, K_ANY);
    if (c->out < 0) {
        k_mailbox_unlink(c->in);
        return c->out;
    }
    c->port = k_mailbox_get_port(c->in);
    return 0;
}

void svc_client_close(struct svc_client *c)
{
    k_mailbox_unlink(c->in);
    k_mailbox_close(c->out);
}

/* What is left of `timeout`. */
static uint64_t left(uint64_t began, uint64_t timeout)
{
    uint64_t passed = k_time_cycles() - began;
    return timeout == K_FOREVER ? K_FOREVER : passed < timeout ? timeout - passed : 0;
}

/* The result of the pending operation; -B_ETIMEDOUT means that it never happened. */
static long complete(int id, uint64_t timeout)
{
    long r = k_ikc_wait(K_MAILBOX, id, timeout);
    if (r != -B_ETIMEDOUT || k_ikc_cancel(K_MAILBOX, id) == 0)
        return r;
    r = k_ikc_wait(K_MAILBOX, id, K_FOREVER);
    return r == -B_ECANCELED ? -B_ETIMEDOUT : r;
}

static int deliver(struct svc_client *c, int node, struct svc_message *m, size_t size,
                   uint64_t timeout)
{
    int r = k_mailbox_awrite(c->out, node, svc_port((enum svc_service)m->h.service), m, size);
    long done = r < 0 ? r : complete(c->out, timeout);
    return done < 0 ? (int)done : 0;
}

static void compose(struct svc_client *c, struct svc_message *m, enum svc_service service,
                    int opcode, const void *body, size_t n)
{
    memset(m, 0, sizeof *m);
    m->h = (struct svc_header){.service = (uint8_t)service,
                               .opcode = (uint8_t)opcode,
                               .node = (uint16_t)svc_cluster(),
                               .port = (uint16_t)c->port,
                               .serial = ++c->serial};
    svc_bytes(m->body, body, n);
}

/* Waits for the answer to `h`. */
static long collect(struct svc_client *c, const struct svc_header *h, struct svc_message *m,
                    uint64_t began, uint64_t timeout)
{
    for (;;) {
        struct k_source from;
        long n = k_mailbox_aread(c->in, m, sizeof *m, &from);
        n = n < 0 ? n : complete(c->in, left(began, timeout));
        if (n < 0)
            return n;
        if (n >= (long)sizeof m->h && m->h.serial == h->serial && m->h.service == h->service &&
            m->h.opcode == (h->opcode | SVC_ANSWER))
            return n;
    }
}

int svc_request(struct svc_client *c, int node, enum svc_service service, int opcode,
                const void *body, size_t n, void *answer, size_t m, uint64_t timeout)
{
    uint64_t began = k_time_cycles();
    struct svc_message message;
    compose(c, &message, service, opcode, body, n);
    struct svc_header h = message.h;
    if (c->node != node) { /* so that the end of that cluster ends the wait for its answer */
        int r = k_mailbox_set_remote(c->in, node, K_ANY);
        if (r < 0)
            return r;
        c->node = node;
    }
    int r = deliver(c, node, &message, sizeof h + n, timeout);
    if (r < 0)
        return r;
    long size = collect(c, &h, &message, began, timeout);
    if (size < 0)
        return (int)size;
    if (message.h.status < 0)
        return message.h.status;
    if (size != (long)(sizeof h + m) || message.h.status != 0)
        return -B_EPROTO;
    svc_bytes(answer, message.body, m);
    return 0;
}

int svc_tell(struct svc_client *c, int node, enum svc_service service, int opcode, const void *body,
             size_t n, uint64_t timeout)
{
    struct svc_message m;
    compose(c, &m, service, opcode, body, n);
    m.h.port = SVC_NOBODY;
    return deliver(c, node, &m, sizeof m.h + n, timeout);
}
