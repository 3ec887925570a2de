/* SPDX-License-Identifier: MIT */
/* The client's half: one request, one answer. */
#ifndef SVC_CLIENT_H
#define SVC_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#include <svc/message.h>

/* In a client's file: who links it from an archive has the server that it asks, a struct svc_class,
 * too. */
#define SVC_ASKS(server)                                                                           \
    static const struct svc_class *const asks_##server __attribute__((used)) = &(server)

/* Inputs on the highest port that is free, of mailboxes below those of the services: ranks take the
 * first ports, also later than a client. Errors of k_mailbox_create, k_portal_create. */
int svc_mailbox_create(void);
int svc_portal_create(void);

/* One per thread that asks; memory of the caller's. It takes a port of its cluster. */
struct svc_client {
    int in, out; /* mailboxes */
    int port;
    int node; /* whose answers the input takes */
    uint32_t serial;
};

/* -B_ENOMEM, -B_EBUSY: no mailbox or port is left. */
int svc_client_open(struct svc_client *c);
void svc_client_close(struct svc_client *c);

/* Sends the request (body of n bytes) to a service of cluster `node` and waits for the answer,
 * whose body of m bytes goes to `answer`. Returns its status; else -B_ENOTCONN no such service
 * there, -B_EHOSTUNREACH no such cluster, -B_EIO it ended, -B_ETIMEDOUT no answer within `timeout`
 * cycles (if the request was delivered, the server may still do it; an answer that comes later is
 * dropped), -B_EPROTO the answer is malformed. Waits; the calling thread must be the client's. */
int svc_request(struct svc_client *c, int node, enum svc_service service, int opcode,
                const void *body, size_t n, void *answer, size_t m, uint64_t timeout);

/* One-way: returns when the message is stored at the server. Errors as above. */
int svc_tell(struct svc_client *c, int node, enum svc_service service, int opcode, const void *body,
             size_t n, uint64_t timeout);

#endif
