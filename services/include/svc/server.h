/* SPDX-License-Identifier: MIT */
/* The frame of all servers: it receives, checks, calls the handler, answers, keeps deadlines. A
 * service is a table of operations; its handlers never wait, so the same ones run in a thread of
 * their own (svc_server_run) and in tasks of a Dispatcher (svc/daemon.h).
 *
 * A server never waits for one client: when it needs room for outgoing messages, or ends, it drops
 * those that their receivers have not taken for `patience`. It never holds what it cannot store:
 * while all its outgoing messages are under way it takes no request, and the requests wait at
 * their senders.
 *
 * Patience is counted in time that the server saw: a round counts for at most one of SVC_SLICES
 * parts of it, however late it comes. So a computer that is too busy to run anybody makes nobody
 * late, and who is late let as many rounds pass. */
#ifndef SVC_SERVER_H
#define SVC_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include <base/list.h>
#include <svc/message.h>
#include <sys/k_task.h>
#include <sys/k_types.h>
#include <sys/k_bell.h>

enum {
    SVC_LINES = 2,   /* outgoing messages under way */
    SVC_OUT = 16,    /* outgoing messages, those waiting for a line included */
    SVC_ROOM = 4,    /* of them free whenever a handler or the service's tick is called */
    SVC_CALLS = 32,  /* requests of a server to another one */
    SVC_SLICES = 64, /* of the patience: the most that a round counts for */
    SVC_WATCHED = 8  /* objects of the service that ring for it: svc_watch */
};

struct svc_server;

/* A request that is answered later: keep it, then svc_answer. */
struct svc_ticket {
    uint16_t node, port;
    uint32_t serial;
    uint8_t service, opcode;
};

/* A ticket as the number that a message may carry (svc_send), and back: its operation is known. */
static inline uint64_t svc_ticket_number(const struct svc_ticket *t)
{
    return (uint64_t)t->node << 48 | (uint64_t)t->port << 32 | t->serial;
}
static inline struct svc_ticket svc_ticket_of(uint64_t number, enum svc_service service, int opcode)
{
    return (struct svc_ticket){(uint16_t)(number >> 48), (uint16_t)(number >> 32), (uint32_t)number,
                               (uint8_t)service, (uint8_t)opcode};
}

/* What a handler gets; constant while it runs. */
struct svc_request {
    const struct svc_message *m;
    struct k_source from;     /* true: the network says so */
    struct svc_ticket ticket; /* for later; anything else is in m */
};

/* Handles one request, whose length was checked. Returns 0 or -B_E..., which is answered together
 * with what was put into `answer` (zero at the start, `answer` bytes of the table); or
 * SVC_PARKED: it will be answered by svc_answer, or never. */
#define SVC_PARKED 1
typedef int svc_handler(struct svc_server *s, const struct svc_request *r, void *answer);

enum svc_op_flag {
    SVC_LOCAL = 1,    /* only from the server's own cluster, else -B_EPERM */
    SVC_FORWARDED = 2 /* the answer may go to others than the sender; only from svc_home() */
};
struct svc_op {
    svc_handler *handler; /* NULL: no such operation */
    uint8_t size, answer; /* bytes of the bodies */
    uint8_t flags;        /* enum svc_op_flag */
};

/* A service: named record. */
struct svc_class {
    const char *name;
    enum svc_service service;
    struct svc_op op[SVC_OPS_MAX];
    /* Does what is due at `now` (cycles; all waits, when the server is ending), with SVC_ROOM for
     * outgoing messages; returns when it wants to be called next: an instant, now = at once,
     * K_FOREVER. NULL: never. */
    uint64_t (*tick)(struct svc_server *s, uint64_t now);
    /* Of services with objects of their own, else NULL. begin: makes them at the end of
     * svc_server_open, 0 or an error; end: takes them away; resting: false while something is
     * under way that must end before the server does. */
    int (*begin)(struct svc_server *s);
    void (*end)(struct svc_server *s);
    bool (*resting)(const struct svc_server *s);
};

/* Why an outgoing message left the server: 0 stored by its receiver's kernel; -B_ENOTCONN,
 * -B_EIO, -B_ETIMEDOUT (not taken for `patience`, and its place was needed). */
typedef void svc_sent(struct svc_server *s, void *cookie, uint64_t number, int result);

struct svc_out {
    struct b_node node;
    struct svc_message m;
    uint16_t to_node, to_port;
    uint8_t size;      /* bytes, header included */
    uint32_t deadline; /* by the server's clock */
    svc_sent *sent;    /* may be NULL */
    void *cookie;
    uint64_t number;
};

/* The answer to a request of this server, sent by cluster `node`, whose length was checked to be
 * that of a header at least (zeros follow what came); or the reason why there is none: `m` is
 * NULL then. False: this is not the answer to it, go on waiting (ignored without m). */
struct svc_call;
typedef bool svc_answered(struct svc_server *s, struct svc_call *c, const struct svc_message *m,
                          int node, int status);
struct svc_call {
    uint32_t serial;
    uint8_t service;
    uint8_t repeat;           /* request that may come twice, of a name; else SVC_OP_PING */
    uint8_t signs;            /* that the other side lives, since it was asked */
    uint64_t look;            /* when to ask for the next */
    int node;                 /* that it was asked of */
    svc_answered *answered;   /* NULL: free */
    struct svc_ticket ticket; /* the client for whom it asks */
    struct svc_text name;     /* the handler's own */
    uint32_t word[2];         /* the handler's own */
};

/* One running server. Memory of the caller's until it has ended; all fields the frame's. Used by
 * one thread, or by the tasks of one Dispatcher. */
struct svc_server {
    const struct svc_class *class;
    void *state; /* the service's */
    int home;    /* cluster that may shut it down */
    int in;      /* input mailbox */
    int line[SVC_LINES];
    struct svc_out *busy[SVC_LINES];
    uint64_t since[SVC_LINES]; /* cycle at which the line got it */
    bool reading, ending, begun;
    struct svc_message request;
    struct k_source from;
    struct svc_out out[SVC_OUT];
    struct b_queue free, waiting;
    int used;    /* of out */
    bool wanted; /* a place of out is, for a request to another server */
    struct svc_call call[SVC_CALLS];
    int calls; /* of call */
    struct {
        enum k_facility facility;
        int id;
    } watched[SVC_WATCHED];
    int watches; /* of watched */
    uint32_t serial;
    uint64_t patience;                   /* cycles */
    uint64_t seen;                       /* cycle at which the clock last changed */
    uint32_t clock;                      /* slices of the patience that its rounds saw pass */
    uint32_t leaves;                     /* when ending: by the clock, it refuses no more then */
    struct k_bell bell;                  /* of the thread that makes the rounds */
    struct k_task *task;                 /* that makes them; NULL: a thread does */
    uint64_t requests, refused, dropped; /* counters: good, bad; answers that nobody took */
};

/* Opens the server's mailboxes in the calling cluster, at svc_port(class->service); home: the
 * cluster that may shut it down (K_ANY: any). Errors: -B_EBUSY it runs here already, -B_ENOMEM no
 * mailbox left. */
int svc_server_open(struct svc_server *s, const struct svc_class *class, void *state, int home);

/* One round: whatever can be done without waiting. Returns when it wants to be called again even if
 * no bell rings: an instant in cycles, K_FOREVER; 0 = it has ended (SHUTDOWN, all answers
 * out; what came after it is answered -B_ENOTCONN). */
uint64_t svc_server_step(struct svc_server *s);

/* Serves on the calling thread until it is shut down; closes the mailboxes. */
void svc_server_run(struct svc_server *s);

/* Closes what svc_server_open opened. Requests that wait are answered by the kernel
 * (-B_ENOTCONN). Not while it runs. */
void svc_server_close(struct svc_server *s);

/* For handlers and ticks ----------------------------------------------------------------------- */

/* Answers a parked request with `size` bytes of body. Needs one outgoing message (SVC_ROOM); sent
 * (may be NULL) is called when it is out. */
void svc_answer(struct svc_server *s, const struct svc_ticket *t, int status, const void *body,
                size_t size, svc_sent *sent, void *cookie, uint64_t number);

/* The same with nothing but the status. */
void svc_answer_status(struct svc_server *s, const struct svc_ticket *t, int status);

/* For begin: completions at a mailbox or portal of the service bring a round (and so a tick), as
 * those of the server's own do. -B_ENOMEM: SVC_WATCHED are. */
int svc_watch(struct svc_server *s, enum k_facility f, int id);

/* The longest time for which a round counts, in cycles. */
static inline uint64_t svc_slice(const struct svc_server *s)
{
    return s->patience / SVC_SLICES;
}

/* By the server's clock: when a patience that begins now is over; is that instant over? */
static inline uint32_t svc_patience_end(const struct svc_server *s)
{
    return s->clock + SVC_SLICES;
}
static inline bool svc_late(const struct svc_server *s, uint32_t deadline)
{
    return (int32_t)(s->clock - deadline) >= 0;
}

/* Brings a round, from any thread or task of the cluster while the server runs. */
void svc_ring(struct svc_server *s);

/* Outgoing messages that can be made now without breaking the promise to the next handler. */
int svc_room(const struct svc_server *s);

/* Is there a place for a request to another server besides those that are promised? False: one is
 * needed. Until there is one, messages that nobody takes for `patience` lose theirs, and rounds
 * come for that. */
bool svc_may_ask(struct svc_server *s);

/* Sends a message as it is: one-way, or a request forwarded in the name of who is in its header. */
void svc_send(struct svc_server *s, int node, int port, const struct svc_message *m, size_t size,
              svc_sent *sent, void *cookie, uint64_t number);

/* Asks another server: `answered` is called once, with the answer, or when it cannot come any
 * more. No time is set for it: each time that the patience has passed, a message there shows
 * whether server and cluster have not ended; -B_ETIMEDOUT after SVC_SIGNS of them, which means that
 * the server hangs, or that an answer was dropped. Where the answer comes from a third cluster the
 * caller sets `repeat`, the operation by which `name` was asked for: the message is the request
 * again then, and takes the same way. NULL: all SVC_CALLS are under way. The fields ticket, name,
 * word, repeat of the call are the caller's until then. */
enum { SVC_SIGNS = 64 };
struct svc_call *svc_ask(struct svc_server *s, int node, enum svc_service service, int opcode,
                         const void *body, size_t size, svc_answered *answered);

#endif
