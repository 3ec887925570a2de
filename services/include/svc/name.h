/* SPDX-License-Identifier: MIT */
/* Names of processes: where is "rank 7"? One server (on svc_home()) knows in which cluster a name
 * lives; a daemon in each cluster knows the ports of its own names and remembers some of the others
 * (uller-2021, 5.6). docs/services.md tells the protocols. */
#ifndef SVC_NAME_H
#define SVC_NAME_H

#include <stddef.h>
#include <stdint.h>

#include <svc/client.h>
#include <svc/server.h>

/* A logical address. */
struct svc_address {
    int node, port;
};

/* Clients -------------------------------------------------------------------------------------- */

/* All ask the daemon of the own cluster, wait for its answer, and share these errors: -B_EINVAL the
 * name (svc_text_set), -B_ENOTCONN no daemon here, or no name server at home; -B_ETIMEDOUT a
 * server that is needed hangs (svc_ask); -B_EIO a cluster that is needed ended; -B_ENOSPC a table
 * is full. */

/* Gives this cluster's `port` a name. If ttl_us is not SVC_NO_LIMIT the name expires when it has
 * not been beaten for that long. -B_EEXIST: the name is taken; -B_EINVAL: no such port, ttl_us
 * is 0. */
int svc_name_link(struct svc_client *c, const char *name, int port, uint32_t ttl_us);

/* Takes a name of this cluster away. When it returns, no later lookup anywhere finds it.
 * -B_ENOENT: no such name in this cluster. */
int svc_name_unlink(struct svc_client *c, const char *name);

/* Where a name lives. -B_ENOENT: nowhere. */
int svc_name_lookup(struct svc_client *c, const char *name, struct svc_address *a);

/* Says that a name of this cluster is alive; one-way to the name server. -B_EIO, -B_ENOTCONN
 * as above. */
int svc_name_beat(struct svc_client *c, const char *name);

/* Waits until a name goes away: returns how it went. -B_ENOENT: there is none now; -B_ETIMEDOUT it
 * is still there after timeout_us. */
enum svc_name_end { SVC_NAME_UNLINKED = 1, SVC_NAME_EXPIRED = 2 };
int svc_name_watch(struct svc_client *c, const char *name, uint32_t timeout_us);

/* The server ----------------------------------------------------------------------------------- */

extern const struct svc_class svc_name_server;

/* Bytes of its state for so many names, in the calling machine; prepares that memory. */
size_t svc_name_server_bytes(int names);
void svc_name_server_init(void *state, int names);

/* The daemon ----------------------------------------------------------------------------------- */

extern const struct svc_class svc_name_daemon;

/* How a daemon finds an address that it does not know: a named record. */
struct svc_name_protocol {
    const char *name;
    uint8_t first; /* opcode of the request to the server */
    bool ask;      /* asks the cluster's daemon itself */
};
/* "forward": the server passes the request on to the name's cluster, which answers it: one request,
 * one answer (the future work of uller-2021, 8). "paper": the server answers with the cluster, the
 * daemon there is asked next: two requests, two answers (uller-2021, figure 13). */
extern const struct svc_name_protocol svc_name_forward, svc_name_paper;

enum {
    SVC_NAME_LOCAL = 32, /* names of one cluster */
    SVC_NAME_CACHE = 16, /* addresses elsewhere that it remembers */
    SVC_NAME_WATCH = 16  /* threads that watch names */
};

struct svc_name_slot {
    struct svc_text name;
    uint16_t port;
    uint8_t state;
    uint32_t version, gone; /* of the link; of a link that went while it was not known yet */
};
struct svc_name_known {
    struct svc_text name; /* empty: free */
    struct svc_address at;
    uint64_t used; /* when, for the least recently used */
};
struct svc_name_watcher {
    struct svc_text name;
    struct svc_ticket ticket;
    uint32_t version;
    uint32_t reason; /* enum svc_name_end, once it went */
    uint8_t state;
    uint64_t deadline;
};

/* State of a daemon; memory of the caller's. */
struct svc_name_daemon {
    const struct svc_name_protocol *protocol;
    struct svc_name_slot local[SVC_NAME_LOCAL];
    struct svc_name_known cache[SVC_NAME_CACHE];
    struct svc_name_watcher watch[SVC_NAME_WATCH];
    uint64_t turn;         /* counts uses of the cache */
    uint64_t hits, misses; /* of the cache */
};
/* Nothing is known yet. `protocol` must outlive the daemon. */
void svc_name_daemon_init(struct svc_name_daemon *d, const struct svc_name_protocol *protocol);

#endif
