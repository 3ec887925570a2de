/* SPDX-License-Identifier: MIT */
/* What services and their clients say to each other: one mailbox message of at most HAL_MAIL_DATA
 * bytes, a header and a body, in the byte order of the machine. docs/wire.md has the tables. */
#ifndef SVC_MESSAGE_H
#define SVC_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/config.h>
#include <base/mem.h>

/* Each service listens on the same port in every cluster where it runs: svc_port(). */
enum svc_service {
    SVC_NAME,        /* the name server, one per machine */
    SVC_NAME_DAEMON, /* logical addresses, one per cluster */
    SVC_SEMAPHORE,
    SVC_SPAWN,
    SVC_RMEM,
    SVC_SHM,        /* shared memory: who may keep which page, one per machine */
    SVC_SHM_DAEMON, /* takes pages back, one per cluster */
    SVC_SERVICES
};

/* Opcodes that every server understands; those of a service begin at SVC_OP_FIRST. */
enum svc_common_op {
    SVC_OP_PING,     /* answered at once */
    SVC_OP_SHUTDOWN, /* from the cluster named at the start only: answers, then ends */
    SVC_OP_FIRST
};
#define SVC_OPS_MAX (SVC_OP_FIRST + 8)
#define SVC_ANSWER  0x80 /* set in the opcode of an answer */

#define SVC_NOBODY 0xffff /* as port: nobody wants an answer */

struct svc_header {
    uint8_t service; /* enum svc_service of the server */
    uint8_t opcode;
    uint16_t zero;
    uint16_t node; /* who gets the answer: cluster and port */
    uint16_t port;
    uint32_t serial; /* chosen by who asks; the same in the answer */
    int32_t status;  /* answer: 0 or -B_E...; request: 0 */
};
_Static_assert(sizeof(struct svc_header) == 16, "docs/wire.md");

#define SVC_BODY_MAX (HAL_MAIL_DATA - 16)
struct svc_message {
    struct svc_header h;
    uint64_t body[SVC_BODY_MAX / 8];
};
_Static_assert(sizeof(struct svc_message) == HAL_MAIL_DATA, "docs/wire.md");

/* Copies bytes between a structure and the body of a message; n may be 0, and `from` NULL then. */
static inline void svc_bytes(void *to, const void *from, size_t n)
{
    if (n > 0)
        memcpy(to, from, n);
}
static inline void svc_get(void *to, const struct svc_message *m, size_t n)
{
    svc_bytes(to, m->body, n);
}
static inline void svc_put(void *answer, const void *from, size_t n)
{
    svc_bytes(answer, from, n);
}

/* A name on the wire: at least one character, a zero, zeros to the end. */
#define SVC_NAME_MAX 64 /* bytes, the zero included */
struct svc_text {
    char text[SVC_NAME_MAX];
};
bool svc_text_valid(const struct svc_text *t);
bool svc_text_same(const struct svc_text *a, const struct svc_text *b);
/* -B_EINVAL: NULL, empty, or SVC_NAME_MAX characters or more. */
int svc_text_set(struct svc_text *t, const char *name);

/* Port of a service: the last ports of a cluster, because ranks take the first. */
int svc_port(enum svc_service service);

/* The own cluster. */
int svc_cluster(void);

/* Cluster of the machine-wide servers: the first I/O cluster, or 0 where there is none. */
int svc_home(void);

/* Durations travel in microseconds; 0 us is 0, SVC_NO_LIMIT is no limit. */
#define SVC_NO_LIMIT UINT32_MAX
uint64_t svc_cycles(uint32_t us); /* K_FOREVER for SVC_NO_LIMIT */

#endif
