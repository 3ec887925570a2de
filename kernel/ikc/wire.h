/* SPDX-License-Identifier: MIT */
/* What travels between kernels: docs/wire.md describes every field. All numbers little-endian. */
#ifndef IKC_WIRE_H
#define IKC_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include <base/config.h>

/* Header of every mailbox message, in hal_mail.header. */
struct wire_header {
    uint8_t kind;     /* enum wire_kind */
    uint8_t facility; /* enum k_facility: K_MAILBOX or K_PORTAL */
    uint8_t size;     /* bytes of data that follow, 0 .. HAL_MAIL_DATA */
    uint8_t flags;    /* enum wire_flag */
    uint16_t to; /* MESSAGE: port it is for; READY: port that has room; GONE: port of the writer */
    uint16_t from;    /* MESSAGE: port of the writer; READY: the same, or WIRE_PORT_ANY; GONE: port
                          that was unlinked */
    uint16_t serial;  /* MESSAGE of a portal: number of the write; GONE repeats it */
    uint16_t zero[3]; /* 0 */
};
_Static_assert(sizeof(struct wire_header) == HAL_MAIL_HEADER, "the header is the HAL's");
_Static_assert(offsetof(struct wire_header, to) == 4, "fixed by docs/wire.md");
_Static_assert(offsetof(struct wire_header, from) == 6, "fixed by docs/wire.md");
_Static_assert(offsetof(struct wire_header, serial) == 8, "fixed by docs/wire.md");
_Static_assert(offsetof(struct wire_header, zero) == 10, "fixed by docs/wire.md");

enum { WIRE_PORT_ANY = 0xffff };

enum wire_kind {
    WIRE_MESSAGE = 1, /* mailbox: a message; portal: the announcement of a write */
    WIRE_READY = 2,   /* port `to` of its sender has room: a message kept back for it may come */
    WIRE_GONE = 3     /* portal: the port that had an announcement was unlinked */
};

enum wire_flag {
    WIRE_RESERVED = 1, /* READY: a buffer is kept for the answer; MESSAGE: this is that answer */
    WIRE_STREAM = 2,   /* MESSAGE of a mailbox: its writer does not wait for the verdict */
    WIRE_FOLLOWS = 4   /* ... and sent it without knowing the verdicts of all streamed before it */
};

/* Verdicts, one for each message. */
enum wire_verdict {
    WIRE_STORED = 1,    /* accepted for its port */
    WIRE_BUSY = 2,      /* no buffer for its port: keep it, a READY will come */
    WIRE_NOPORT = 3,    /* nobody listens on that port */
    WIRE_MALFORMED = 4, /* not a message of this protocol */
    WIRE_ANSWER = 8,    /* of a READY, plus WIRE_COMING and WIRE_MORE */
    WIRE_COMING = 1,    /* a refused message follows */
    WIRE_MORE = 2       /* other messages for the port are still kept back */
};

/* Cookie of a grant: port granted, port of the writer it is meant for, and why. */
enum { WIRE_GRANT_FROM_SHIFT = 11, WIRE_GRANT_PORT_MASK = 0x7ff };
#define WIRE_GRANT_MATCHED (UINT32_C(1) << 22) /* answers an announcement */

/* Cookie of data: port of the writer, and what the bytes are. */
#define WIRE_DATA_PORT_MASK UINT32_C(0xffff)
#define WIRE_DATA_ANNOUNCED                                                                        \
    (UINT32_C(1) << 16) /* an announcement of this write is at the receiver */
#define WIRE_DATA_TOO_LONG  (UINT32_C(1) << 17) /* no bytes: the write is longer than the grant */
#define WIRE_DATA_WITHDRAWN (UINT32_C(1) << 18) /* no bytes: the announced write was cancelled */
#define WIRE_DATA_MORE      (UINT32_C(1) << 19) /* ancestor's style: other pieces follow */
#define WIRE_DATA_DEFINED   ((UINT32_C(1) << 20) - 1)

_Static_assert(KERN_PORTS_MAX <= WIRE_GRANT_PORT_MASK, "a port fits in a cookie");

#endif
