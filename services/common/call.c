/* SPDX-License-Identifier: MIT */
/* Requests of a server to another server: it goes on serving while it waits. */
#include "common/frame.h"

#include <base/error.h>
#include <sys/k_info.h>

static bool end(struct svc_server *s, struct svc_call *c, const struct svc_message *m, int node,
                int status)
{
    svc_answered *answered = c->answered;
    if (!answered(s, c, m, node, status))
        return false;
    c->answered = NULL;
    s->calls--;
    return true;
}

/* The request is there, or a later message, which shows that the other side lives; or it could not
 * be delivered: then no answer will come. A later one may have been dropped because its place was
 * needed, which says nothing. The call may have ended meanwhile, and another may have its place. */
static void sent(struct svc_server *s, void *cookie, uint64_t serial, int result)
{
    struct svc_call *c = cookie;
    if (!c->answered || c->serial != (uint32_t)serial)
        return;
    c->signs += result == 0;
    bool lives = result == 0 || (result == -B_ETIMEDOUT && c->signs > 0);
    c->look = k_time_cycles() + s->patience;
    if (!lives || c->signs > SVC_SIGNS)
        end(s, c, NULL, -1, lives ? -B_ETIMEDOUT : result);
}

static void post(struct svc_server *s, struct svc_call *c, int opcode, const void *body,
                 size_t size)
{
    int port = opcode == SVC_OP_PING && c->signs > 0 ? SVC_NOBODY : svc_port(s->class->service);
    struct svc_message m = {.h = {.service = c->service,
                                  .opcode = (uint8_t)opcode,
                                  .node = (uint16_t)svc_cluster(),
                                  .port = (uint16_t)port,
                                  .serial = c->serial}};
    svc_bytes(m.body, body, size);
    c->look = K_FOREVER; /* it is under way */
    svc_send(s, c->node, svc_port((enum svc_service)c->service), &m, sizeof m.h + size, sent, c,
             c->serial);
}

struct svc_call *svc_ask(struct svc_server *s, int node, enum svc_service service, int opcode,
                         const void *body, size_t size, svc_answered *answered)
{
    struct svc_call *c = NULL;
    for (int i = 0; i < SVC_CALLS && !c; i++)
        c = s->call[i].answered ? NULL : &s->call[i];
    if (!c)
        return NULL;
    /* Not one after the other, so that nobody hits a pending one by chance; none twice in 2^32. */
    s->serial = s->serial * 1664525 + 1013904223;
    *c = (struct svc_call){
        .serial = s->serial, .service = (uint8_t)service, .node = node, .answered = answered};
    s->calls++;
    post(s, c, opcode, body, size);
    return c;
}

bool svc_call_answer(struct svc_server *s, const struct svc_message *m, int node)
{
    for (int i = 0; i < SVC_CALLS && s->calls > 0; i++) {
        struct svc_call *c = &s->call[i];
        if (c->answered && c->serial == m->h.serial)
            return end(s, c, m, node, m->h.status);
    }
    return false;
}

uint64_t svc_call_step(struct svc_server *s, uint64_t now)
{
    uint64_t next = K_FOREVER;
    for (int i = 0; i < SVC_CALLS && s->calls > 0; i++) {
        struct svc_call *c = &s->call[i];
        if (!c->answered)
            continue;
        if (c->look <= now && svc_room(s) >= 0)
            post(s, c, c->repeat, &c->name, c->repeat == SVC_OP_PING ? 0 : sizeof c->name);
        next = c->look < next ? c->look : next;
    }
    return next;
}
