/* SPDX-License-Identifier: MIT */
/* Protocols: how the bytes of a message travel. A protocol is a record; the first one that
 * applies to a send is used, and its name shows in counters and traces. */
#ifndef MPIUTIL_PROTOCOL_PROTOCOL_H
#define MPIUTIL_PROTOCOL_PROTOCOL_H

#include <svc/client.h>
#include <sys/k_wait.h>

#include "request/request.h"

struct mpu_proto {
    enum mpu_proto_id id;
    const char *name;
    const char *messages, *bytes; /* names of its counters */
    int engine;                   /* enum k_portal_flag */

    /* Sender: whether it can carry q; asked in the order of the table. NULL: it can. */
    bool (*applies)(const struct mpu_rank *r, const struct mpu_request *q);

    /* Sender: starts q, or answers false: not now, ask again when something happened. Sends
     * through the outbox are asked in their order. NULL: it only sends at once (mpu_route). */
    bool (*start)(struct mpu_rank *r, struct mpu_request *q);

    /* Receiver: q takes the arrival of this protocol; owns and ends it. NULL: nothing arrives, or
     * another protocol's takes it (mpu_proto_receive). */
    void (*receive)(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a);
};

#define MPU_NAMED(text) .name = text, .messages = text ".messages", .bytes = text ".bytes"

extern const struct mpu_proto mpu_eager, mpu_eager_sync, mpu_split, mpu_lazy, mpu_rendezvous,
    mpu_rendezvous_dma, mpu_pipeline, mpu_local_direct, mpu_local_eager, mpu_local_copy, mpu_paper,
    mpu_slot_copy;

/* How messages get to the ranks at one distance. A send asks try_now first; if that refuses, a
 * request is made, and the first protocol that applies to it carries it. */
struct mpu_route {
    /* Sends the message, whose header is of kind MPU_EAGER, or MPU_SYNC for a synchronous send, at
     * once and without a request: its w->size bytes at buf are copied, and the send is done. It
     * may refuse, and then nothing happened. Never waits. */
    bool (*try_now)(struct mpu_rank *r, const struct mpu_endpoint *to, const struct mpu_wire *w,
                    const void *buf);
    const struct mpu_proto *now; /* its name in the trace; NULL with try_now */
    uint8_t first;               /* in the set's table: the first protocol for this distance */
};

/* From ranks of the same core; of other cores of the cluster; of other clusters. */
enum mpu_distance { MPU_SAME_CORE, MPU_SAME_CLUSTER, MPU_ELSEWHERE, MPU_DISTANCES };
bool mpu_core_now(struct mpu_rank *r, const struct mpu_endpoint *to, const struct mpu_wire *w,
                  const void *buf);
bool mpu_cluster_now(struct mpu_rank *r, const struct mpu_endpoint *to, const struct mpu_wire *w,
                     const void *buf);
bool mpu_far_now(struct mpu_rank *r, const struct mpu_endpoint *to, const struct mpu_wire *w,
                 const void *buf);

/* The name service, as the sets of the paper use it: protocol/names.c. */
struct mpu_names {
    int (*askers)(
        const struct mpu_cluster *c); /* as many as the cluster may have; may be below 1 */
    int (*begin)(struct mpu_rank *r); /* names the calling rank */
    void (*end)(struct mpu_rank *r);
    void (*ask)(struct mpu_rank *r, int rank); /* looks the receiver up, which waits */
};
extern const struct mpu_names mpu_names;

/* How the bytes of messages that were announced move (protocol/announce.c): by portals
 * (protocol/rendezvous.c), or through cells (protocol/pipeline.c). */
struct mpu_bulk {
    const struct mpu_proto *(*proto)(const struct mpu_rank *r, const struct mpu_request *q);

    /* Sender: what the announcement of q says of a port; found: it answers a WANT. */
    uint16_t (*offer)(struct mpu_rank *r, struct mpu_request *q, bool found);
    /* ... it is announced no more. False: its bytes are under way. NULL: never. */
    bool (*withdraw)(struct mpu_rank *r, struct mpu_request *q);
    /* ... its receiver takes w->size bytes, more than none unless it has none; `go` follows. */
    void (*allowed)(struct mpu_rank *r, struct mpu_request *q, const struct mpu_wire *w);
    /* ... starts what can be started. */
    void (*go)(struct mpu_rank *r);

    /* Receiver and sender: the outbox is free again; the kernel rang. */
    void (*next)(struct mpu_rank *r);
    void (*progress)(struct mpu_rank *r);

    /* Nothing is under way. */
    bool (*idle)(const struct mpu_rank *r);
};
extern const struct mpu_bulk mpu_bulk_portal, mpu_bulk_cells;

/* A set of protocols and the transport between clusters that it needs. The sets are in
 * protocol/sets.c; which of them a program has its image says (mpu_cluster_init), and nothing
 * outside of them names what only one of them has, so that a program carries no others. */
struct mpu_set {
    const struct mpu_transport *transport;
    const struct mpu_proto *proto[MPU_PROTOS + 1]; /* those of each distance in a row, then NULL */
    const struct mpu_proto *other; /* takes what comes and no table names (protocol.c) */
    /* What comes of messages in pieces: kinds SPLIT, PIECE and MORE. NULL: nothing does. */
    void (*pieces)(struct mpu_rank *r, struct mpu_arrival *a);
    struct mpu_route route[MPU_DISTANCES];
    const struct mpu_bulk *bulk; /* of what is announced */

    /* What comes with some sets. NULL: not with this one. */
    bool answers;   /* the receiver of an RTS always says so, and says when bytes begin to arrive */
    uint32_t piece; /* most bytes of a portal transfer; 0: all */
    int slots;      /* of a cluster */
    const struct mpu_names *looks_up; /* the sender asks where the receiver is */

    /* The bytes of the send with this cookie begin to arrive; false: there is none. */
    bool (*answered)(struct mpu_rank *r, uint32_t cookie);

    void (*progress)(struct mpu_rank *r); /* the bell rang */
    void (*reap)(struct mpu_rank *r);     /* the outbox is free again, or the kernel rang */
    void (*withdrawn)(struct mpu_rank *r, const struct mpu_request *q); /* q was taken back */
};

/* How few leaders meet (segment/leaders_each.c). */
extern const struct mpu_each mpu_each;

/* Makes more rings (protocol/index.h). */
void mpu_index_grow(struct mpu_rank *r, struct mpu_index *x);

/* In a program with all sets, before a send is carried: looks its receiver up if the set does so,
 * and notes where the program started it if somebody asks (mpiutil/stand.h). */
void mpu_before(struct mpu_rank *r, struct mpu_request *q);

extern const char *const mpu_set_names[];

/* The route to an endpoint. */
static inline const struct mpu_route *mpu_route_to(const struct mpu_rank *r,
                                                   const struct mpu_endpoint *to)
{
    enum mpu_distance d = to->here < 0          ? MPU_ELSEWHERE
                          : to->core != r->core ? MPU_SAME_CLUSTER
                                                : MPU_SAME_CORE;
    return &r->cluster->set->route[d];
}

/* The values of a rank at its start. */
void mpu_tunes_init(uint32_t *value, const struct k_info *info, const struct mpu_tuning *given);

/* Counts a message that the rank sent. */
static inline void mpu_carried(struct mpu_rank *r, enum mpu_proto_id id, uint64_t n)
{
    r->carried[id].messages++;
    r->carried[id].bytes += n;
}

/* Adds what the rank sent by each protocol to the counters; once, at its end. */
void mpu_carried_count(struct mpu_rank *r);

/* Core: gives a message to the matching queues, and to its protocol if somebody asked for it. */
void mpu_deliver(struct mpu_rank *r, struct mpu_arrival *a);

/* Hands a matched arrival to the protocol that brought it. */
void mpu_proto_receive(struct mpu_rank *r, struct mpu_request *q, struct mpu_arrival *a);

/* Starts waiting sends, oldest first, as far as the outbox takes them. */
void mpu_proto_next(struct mpu_rank *r);

/* The header of a send. */
struct mpu_wire mpu_wire_of(const struct mpu_rank *r, const struct mpu_request *q, enum mpu_kind k);

/* A piece of a message arrived; the last one delivers it. */
void mpu_split_arrived(struct mpu_rank *r, struct mpu_arrival *a);

/* The receiver of a pipeline takes more pieces. */
void mpu_pipeline_more(struct mpu_rank *r, struct mpu_arrival *a);

/* For how many messages an arrival counts where its sender's credit is concerned. */
int mpu_credit_of(const struct mpu_arrival *a);

/* Frees the copies of messages that were sent. */
void mpu_lazy_reap(struct mpu_rank *r);

/* Sends that wait for an answer are known by a cookie. _cookie gives one to q, which waits from
 * _asked on; _asked_take takes the send with this one out of those that wait; NULL: none. */
uint32_t mpu_cookie(struct mpu_rank *r, struct mpu_request *q);
void mpu_asked(struct mpu_rank *r, struct mpu_request *q);
struct mpu_request *mpu_asked_take(struct mpu_rank *r, uint32_t cookie);

/* Receiver: the arrival, a cell that nobody needs any more, becomes the answer of this kind to its
 * sender. It leaves when the outbox is free. */
void mpu_reply(struct mpu_rank *r, struct mpu_arrival *a, enum mpu_kind kind);
void mpu_reply_next(struct mpu_rank *r);

/* What arrived is an answer or a question about a message, not a message; all own the arrival. */
void mpu_acked(struct mpu_rank *r, struct mpu_arrival *a);
void mpu_cancel_asked(struct mpu_rank *r, struct mpu_arrival *a);
void mpu_cancel_done(struct mpu_rank *r, struct mpu_arrival *a);

/* A send has been taken back. */
void mpu_cancelled(struct mpu_request *q);

/* Asks the receivers of sends that are to be taken back, as far as the outbox takes it. */
void mpu_cancel_next(struct mpu_rank *r);

/* Announces a send; the outbox must be free. want: what it answers; NULL: nothing. _start: of
 * protocols that do so, and of those that cannot carry q. */
void mpu_announce(struct mpu_rank *r, struct mpu_request *q, const struct mpu_wire *want);
bool mpu_announce_start(struct mpu_rank *r, struct mpu_request *q);

/* A message is announced: as mpu_deliver. */
void mpu_announcement(struct mpu_rank *r, struct mpu_arrival *a);

/* The protocol that carries q when it is announced. */
const struct mpu_proto *mpu_announced_by(const struct mpu_rank *r, const struct mpu_request *q);

/* The send with this cookie that waits to be allowed, out of where it waits; NULL: none. */
struct mpu_request *mpu_withdraw(struct mpu_rank *r, uint32_t cookie);

/* An answer that allows a send; owns the arrival. */
void mpu_allowed(struct mpu_rank *r, struct mpu_arrival *a);

/* The bytes of the send with this cookie begin to arrive; false: there is none. */
bool mpu_rendezvous_answered(struct mpu_rank *r, uint32_t cookie);

/* Slots: the addresses of local messages, by number: protocol/slot.c. _progress ends sends whose
 * slot was released and starts those that wait for one; _withdraw frees that of a send which is
 * taken back. */
struct mpu_slot {
    _Atomic(struct mpu_request *) q; /* NULL: free */
    atomic_bool released;            /* by the receiver: it has copied */
};
void mpu_slot_progress(struct mpu_rank *r);
void mpu_slot_withdraw(struct mpu_rank *r, const struct mpu_request *q);

/* Who asks the name service: protocol/names.c. */
struct mpu_asker {
    struct k_mutex mutex;
    struct svc_client
        client; /* under the mutex, which its rank holds while it waits for an answer */
    int ranks;  /* that use it, likewise; 0: it is not open */
};

/* Nothing of it is under way, neither as sender nor as receiver. */
bool mpu_announced_idle(const struct mpu_rank *r);

#endif
