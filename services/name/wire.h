/* SPDX-License-Identifier: MIT */
/* Messages of the name service: docs/wire.md. */
#ifndef NAME_WIRE_H
#define NAME_WIRE_H

#include <svc/message.h>

enum name_server_op {
    NAME_LINK = SVC_OP_FIRST, /* name_link (port unused) -> name_version */
    NAME_UNLINK,              /* text -> nothing */
    NAME_LOOKUP,              /* text -> passed on as DAEMON_QUERY, whose answer it is */
    NAME_WHERE,               /* text -> name_place */
    NAME_BEAT                 /* text, one-way */
};

enum name_daemon_op {
    DAEMON_LINK = SVC_OP_FIRST, /* name_link -> nothing */
    DAEMON_UNLINK,              /* text -> nothing */
    DAEMON_LOOKUP,              /* text -> name_address */
    DAEMON_WATCH,               /* name_watch -> name_end */
    DAEMON_QUERY,               /* text -> name_address; for daemons and the server */
    DAEMON_GONE                 /* name_gone, one-way; from the server */
};

struct name_link {
    struct svc_text name;
    uint32_t ttl_us;
    uint16_t port, zero;
};
struct name_version {
    uint32_t version; /* differs between two links of one name */
};
struct name_place {
    uint32_t version;
    uint32_t node;
};
struct name_address {
    uint16_t node, port;
};
struct name_watch {
    struct svc_text name;
    uint32_t timeout_us;
};
struct name_gone {
    struct svc_text name;
    uint32_t version;
    uint32_t reason; /* enum svc_name_end */
};
struct name_end {
    uint32_t reason;
};
_Static_assert(sizeof(struct svc_text) == 64 && sizeof(struct name_link) == 72 &&
                   sizeof(struct name_watch) == 68 && sizeof(struct name_gone) == 72 &&
                   sizeof(struct name_place) == 8 && sizeof(struct name_address) == 4,
               "docs/wire.md");

#endif
