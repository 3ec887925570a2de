/* SPDX-License-Identifier: MIT */
/* Messages of the memory servers: docs/wire.md. Data travels through portals, without an answer:
 * that it arrived is the answer. The receiver grants before the sender can know that it may send:
 * the reader of a block before it asks, the server before it takes a written one. */
#ifndef RMEM_WIRE_H
#define RMEM_WIRE_H

#include <svc/message.h>

enum rmem_op {
    RMEM_OPEN = SVC_OP_FIRST, /* -> rmem_ports */
    RMEM_ALLOC,               /* rmem_alloc -> rmem_extent */
    RMEM_FREE,                /* rmem_extent -> nothing */
    RMEM_READ,                /* rmem_move; data to the portal, or an answer that says why not */
    RMEM_WRITE,               /* rmem_move; data from the portal, or an answer that says why not */
    RMEM_COUNTS,              /* -> svc_rmem_counts */
    RMEM_READ_PACED, /* as READ and WRITE, with an empty answer when the server is ready, and */
    RMEM_WRITE_PACED /* another one when the bytes are there */
};

/* The portals of the server that serve the asking cluster. */
struct rmem_ports {
    uint16_t out, in;
    uint32_t blocks;
};
struct rmem_alloc {
    uint32_t blocks;
    uint32_t flags; /* enum svc_rmem_flag */
};
struct rmem_extent {
    uint32_t first, blocks;
};
/* Bytes of neighbouring blocks of one extent. */
struct rmem_move {
    uint32_t block, offset, size; /* 0 <= offset < SVC_PAGE, 0 < size */
    uint16_t port;                /* of the sender's portal */
    uint16_t zero;
};
_Static_assert(sizeof(struct rmem_ports) == 8 && sizeof(struct rmem_alloc) == 8 &&
                   sizeof(struct rmem_extent) == 8 && sizeof(struct rmem_move) == 16,
               "docs/wire.md");

#endif
