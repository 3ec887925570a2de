/* SPDX-License-Identifier: MIT */
/* Virtual portals: one transfer of any length per operation, straight from the writer's buffer into
 * the reader's. The reader grants: when it names the remote (node, port) the grant leaves at once;
 * with K_ANY it leaves when a writer has announced itself. The same rules and common errors as
 * sys/k_mailbox.h. */
#ifndef SYS_K_PORTAL_H
#define SYS_K_PORTAL_H

#include <stdint.h>

#include <sys/k_call.h>
#include <sys/k_types.h>

enum k_portal_flag {
    /* write: do not announce; the reader is known to name this writer. Readers that name a writer
     * share half of the channels, each until its writer came: they must not wait for each other. */
    K_PORTAL_QUIET = 1,
    K_PORTAL_CORE = 2, /* write: inject by core even where DMA would be used */
    K_PORTAL_DMA = 4,  /* write: by DMA even where a core would be used */
    K_PORTAL_FLAGS = 7
};

static inline int k_portal_create(int port)
{
    return (int)k_call(K_NR_portal_create, port, 0, 0, 0, 0);
}

/* Opens an output to (node, port), or unconnected (K_ANY, K_ANY). Its own port
 * (k_portal_get_port) is what a reader names to grant it. */
static inline int k_portal_open(int node, int port)
{
    return (int)k_call(K_NR_portal_open, node, port, 0, 0, 0);
}

/* Ends an input: announced writers get -B_ENOTCONN; a pending read is cancelled. -B_EBUSY if that
 * is too late: see k_ikc_cancel. */
static inline int k_portal_unlink(int id)
{
    return (int)k_call(K_NR_portal_unlink, id, 0, 0, 0, 0);
}

/* Ends an output. -B_EBUSY while a write is pending. */
static inline int k_portal_close(int id)
{
    return (int)k_call(K_NR_portal_close, id, 0, 0, 0, 0);
}

/* Starts a write of n bytes (0 allowed); buf must stay unchanged until completion. `to` names the
 * receiver of an unconnected output (else NULL), flags are k_portal_flag. k_ikc_wait gives n, or
 * -B_EMSGSIZE (the reader's buffer is shorter; nothing was written), -B_ENOTCONN, -B_EIO. */
static inline int k_portal_awrite(int id, const struct k_source *to, const void *buf, size_t n,
                                  int flags)
{
    return (int)k_call(K_NR_portal_awrite, id, (long)to, (long)buf, (long)n, flags);
}

/* Starts a read of at most n bytes from `from` (node and port may be K_ANY; NULL = any). At
 * completion *got (may be NULL) says who wrote. k_ikc_wait gives the number of bytes, or
 * -B_EMSGSIZE (the writer had more; nothing was stored), -B_EIO, or -B_ECANCELED (it was cancelled
 * too late for k_ikc_cancel to say so at once, and nobody wrote). */
static inline int k_portal_aread(int id, const struct k_source *from, void *buf, size_t n,
                                 struct k_source *got)
{
    return (int)k_call(K_NR_portal_aread, id, (long)from, (long)buf, (long)n, (long)got);
}

/* As for mailboxes. The blocking forms start and wait without time-out; the reader takes any
 * writer that set_remote admits, got (may be NULL) says which. */
int k_portal_set_remote(int id, int node, int port);
int k_portal_get_port(int id);
int k_portal_stat(int id, enum k_stat what, uint64_t *value);

/* Wait; return what k_ikc_wait gives. Any thread that may wait. */
int k_portal_write(int id, const void *buf, size_t n);
int k_portal_read(int id, void *buf, size_t n, struct k_source *got);

#endif
