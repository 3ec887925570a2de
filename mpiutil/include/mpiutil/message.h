/* SPDX-License-Identifier: MIT */
/* Messages between ranks: start, wait. docs/matching.md has the design. */
#ifndef MPIUTIL_MESSAGE_H
#define MPIUTIL_MESSAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpiutil/rank.h>
#include <mpiutil/wire.h>

#define MPU_ANY (-1) /* any source, any tag */

/* A communicator as messages need it. Messages of one context never match receives of another. */
struct mpu_comm {
    uint32_t context;
    int rank, size;   /* of the calling rank */
    const int *world; /* world rank of each rank; NULL: the same numbers */
    const char *name;
};

static inline int mpu_comm_world(const struct mpu_comm *c, int rank)
{
    return c->world ? c->world[rank] : rank;
}

/* Where an arrived message is kept. */
enum mpu_origin {
    MPU_FROM_NET,     /* a cell of the receiver */
    MPU_FROM_CELL,    /* a cell of the receiver that a rank of the same cluster filled */
    MPU_FROM_REQUEST, /* the request of a sender of the same cluster, who waits */
    MPU_ORIGINS
};

struct mpu_arrival {
    struct mpu_arrival *next;
    enum mpu_origin origin;
    uint32_t spare;
    struct mpu_wire wire;
};

/* A message being sent or received. The memory is the caller's, until it is done. */
struct mpu_request {
    /* Owner's thread only. */
    struct mpu_request *next; /* in the one queue that holds it */
    struct mpu_rank *rank;
    const struct mpu_proto *proto;
    uint32_t context;
    int source; /* receive: rank in the communicator, or MPU_ANY; send: own rank */
    int tag;    /* receive: or MPU_ANY */
    int world;  /* the other side's world rank, receive: once matched */
    int stage;  /* the protocol's */
    uint8_t *buf;
    uint64_t size; /* send: bytes; receive: room in buf */

    /* Read by the receiver while the sender waits (MPU_FROM_REQUEST). */
    struct mpu_arrival arrival;

    /* Results; valid once done. */
    int error; /* 0; -B_EMSGSIZE: the message did not fit, the first `count` bytes are there */
    int from, sent_tag; /* receive: envelope of the message */
    uint64_t count;     /* bytes received */
    atomic_bool done;   /* set last, by the rank itself or by a receiver of the same cluster */
};

/* Starts to send n bytes of buf to rank `to` (0 .. size-1) with tag >= 0. Never waits. `buf`
 * must stay unchanged until done; when the size is within the eager limit the request is done
 * soon, whether or not the receiver asks. */
void mpu_send_start(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c, int to,
                    int tag, const void *buf, uint64_t n);

/* Starts to receive at most n bytes from rank `from` (or MPU_ANY) with `tag` (or MPU_ANY).
 * Messages of one sender match in the order in which they were sent. Never waits. */
void mpu_recv_start(struct mpu_rank *r, struct mpu_request *q, const struct mpu_comm *c, int from,
                    int tag, void *buf, uint64_t n);

/* Waits until q is done; everything else of the rank goes on meanwhile. */
void mpu_wait(struct mpu_request *q);

static inline bool mpu_done(struct mpu_request *q)
{
    return atomic_load_explicit(&q->done, memory_order_acquire);
}

/* Waits for all ranks of c, which must be the world or have one rank. */
void mpu_barrier(struct mpu_rank *r, const struct mpu_comm *c);

#endif
