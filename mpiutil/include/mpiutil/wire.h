/* SPDX-License-Identifier: MIT */
/* The header of every MPI message on the network: docs/wire-mpi.md. */
#ifndef MPIUTIL_WIRE_H
#define MPIUTIL_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include <base/config.h>

enum mpu_kind {
    MPU_EAGER = 1, /* the payload follows the header */
    MPU_RTS,       /* rendezvous: asks to be allowed, or waits at its output portal */
    MPU_ALLOW,     /* answer to an RTS: the receiver reads, takes `size` bytes */
    MPU_CREDIT,    /* nothing but its `credit` */
    MPU_SYNC,      /* as EAGER, but wants an ACK when it is matched */
    MPU_ACK,       /* answer to a SYNC; to an RTS whose bytes begin to arrive, where that is told */
    MPU_CANCEL,    /* about an RTS or SYNC: forget it if it is not matched */
    MPU_CANCELLED, /* answer to a CANCEL: forgotten. There is none if it was matched */
    MPU_SPLIT,     /* as EAGER, but only the first bytes follow the header */
    MPU_PIECE,     /* the next bytes of the SPLIT message that its writer began */
    MPU_SLOT,      /* the payload lies at the address in slot `port` of the cluster */
    MPU_ALARM,     /* about the operations tag .. cookie of the context: alarm.h */
    MPU_QUERY,     /* the same, of a rank that waits in one */
    MPU_WANT,      /* a receive, whose number is the cookie, waits for what the reader may hold
                      back: protocol/hold.c */
    MPU_FOUND,     /* as RTS, an answer to the WANT whose cookie is its `context` */
    MPU_REFUSED,   /* answer to a FOUND: nobody wants it any more */
    MPU_OVER,      /* the writer has forgotten what the reader wanted; size 0: it holds nothing */
    MPU_MORE,      /* answer to PIECEs that lie in shared memory: `tag` more may come */
    MPU_LOCAL,     /* the payload lies in the memory of the same cluster; never on the network */
    MPU_KINDS
};

/* Of a WANT. */
enum mpu_want_flag {
    MPU_WANT_ANY_TAG = 1,
    MPU_WANT_ALL = 2 /* whatever is held back, in its order */
};

/* Fields in the byte order of the machine; a machine has one. */
struct mpu_wire {
    uint8_t kind; /* enum mpu_kind */
    uint8_t
        credit; /* how many eager messages of the reader the writer consumed since it last said */
    uint16_t port;    /* RTS: the sender's output portal, where it waits, or one of those below;
                         ALLOW: the receiver's input portal; WANT: enum mpu_want_flag */
    uint32_t context; /* of the communicator */
    uint32_t source;  /* rank in the communicator */
    int32_t tag;      /* >= 0; ALLOW: bytes of a transfer (in shared
                         memory pieces), 0: all in one */
    uint32_t from;    /* world rank of who wrote this header */
    uint32_t cookie;  /* RTS, SYNC: the sender's number of this send; the others: the same */
    union {
        struct {
            uint64_t size : 48; /* bytes of the message; PIECE: of the piece; ALLOW: that may be
                                   written */
            uint64_t mark : 15; /* of what the sender sends: message.h; 0: it does not say */
            uint64_t last : 1;  /* RTS: the writer announces no more before one is matched */
        };
        uint64_t marked; /* both, as mpu_marked has them */
    };
};
_Static_assert(sizeof(struct mpu_wire) == 32, "mpu_wire is part of the wire format");

#define MPU_NO_PORT     UINT16_MAX
#define MPU_PIECES_PORT (UINT16_MAX - 1) /* as NO_PORT, and the sender can send only in pieces */
/* As NO_PORT, and the bytes lie at the sender's address that follows the header, 64 bits. */
#define MPU_SHOWN_PORT (UINT16_MAX - 2)

/* The longest message that travels with its header. */
#define MPU_EAGER_MAX (HAL_MAIL_DATA - (int)sizeof(struct mpu_wire))

/* The longest message that travels in pieces of that size, each with a header. */
#define MPU_SPLIT_MAX (32 * MPU_EAGER_MAX)

/* The longest one in the entries of a ring in shared memory: shared/ring.h. */
#define MPU_INLINE_MAX 256

/* Whether n bytes that arrived, from a job of `ranks` ranks, are a message, of at most so many
 * bytes of payload. w is read as far as n reaches only. Whether it fits the state of the reader is
 * another question. */
bool mpu_wire_valid(const struct mpu_wire *w, long n, long payload_most, int ranks);

#endif
