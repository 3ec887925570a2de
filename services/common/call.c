/* SPDX-License-Identifier: MIT */
/* Requests of a server to another server: it goes on serving while it waits. */
#include "common/frame.h"

#include <base/error.h>
#include <sys/k_info.h>

static bool end(struct svc_server *s, struct svc_call *c, const struct svc_message *m, int node,
                int status)
{
    svc_answered *answered = c->answered;
    if (!answered(s, c, m, node, status)) {
        return false;
    }
    c->answered = NULL;
    s->calls--;
    return true;
}

/* The request left the server, or could not: then no answer will come. The call may have ended
 * meanwhile, and another may have its place. */
static void sent(struct svc_server *s, void *cookie, uint64_t serial, int result)
{
    struct svc_call *c = cookie;
    if (result < 0 && c->answered != NULL && c->serial == (uint32_t)serial) {
        end(s, c, NULL, -1, result);
    }
}

struct svc_call *svc_ask(struct svc_server *s, int node, enum svc_service service, int opcode,
                         const void *body, size_t size, uint64_t timeout, svc_answered *answered)
{
    struct svc_call *c = NULL;
    for (int i = 0; i < SVC_CALLS && c == NULL; i++) {
        c = s->call[i].answered == NULL ? &s->call[i] : NULL;
    }
    if (c == NULL) {
        return NULL;
    }
    struct k_info info;
    k_info(&info);
    /* Not one after the other, so that nobody hits a pending one by chance; none twice in 2^32. */
    s->serial = s->serial * 1664525 + 1013904223;
    struct svc_message m = {.h = {.service = (uint8_t)service,
                                  .opcode = (uint8_t)opcode,
                                  .node = (uint16_t)info.cluster,
                                  .port = (uint16_t)svc_port(s->class->service),
                                  .serial = s->serial}};
    svc_bytes(m.body, body, size);
    uint64_t now = k_time_cycles();
    *c = (struct svc_call){.serial = m.h.serial,
                           .deadline = timeout < K_FOREVER - now ? now + timeout : K_FOREVER,
                           .node = node,
                           .answered = answered};
    s->calls++;
    svc_send(s, node, svc_port(service), &m, sizeof m.h + size, sent, c, m.h.serial);
    return c;
}

bool svc_call_answer(struct svc_server *s, const struct svc_message *m, int node)
{
    for (int i = 0; i < SVC_CALLS && s->calls > 0; i++) {
        struct svc_call *c = &s->call[i];
        if (c->answered != NULL && c->serial == m->h.serial) {
            return end(s, c, m, node, m->h.status);
        }
    }
    return false;
}

uint64_t svc_call_step(struct svc_server *s, uint64_t now)
{
    uint64_t next = K_FOREVER;
    for (int i = 0; i < SVC_CALLS && s->calls > 0; i++) {
        struct svc_call *c = &s->call[i];
        if (c->answered == NULL) {
            continue;
        }
        if (c->deadline <= now && svc_room(s) >= 0) {
            end(s, c, NULL, -1, -B_ETIMEDOUT);
        } else {
            next = c->deadline < next ? c->deadline : next;
        }
    }
    return next;
}
