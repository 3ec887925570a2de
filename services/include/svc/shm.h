/* SPDX-License-Identifier: MIT */
/* Shared memory: named regions of remote memory that all clusters see alike. Of each page either
 * one cluster may change its copy or any number may read theirs: before a page changes hands, the
 * server (on svc_home()) has it taken back from those who have it, and waits until they have
 * answered. So programs without data races see sequentially consistent memory, whatever shares a
 * page. */
#ifndef SVC_SHM_H
#define SVC_SHM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <svc/client.h>
#include <svc/daemon.h>
#include <svc/rmem.h>
#include <svc/server.h>

/* A cluster's part ----------------------------------------------------------------------------- */

enum { SVC_SHM_RECALLS = 16 }; /* pages being taken back at a time */
struct svc_shm_recall {
    struct svc_rmem_job job;
    struct svc_ticket ticket;
    bool used, done; /* done: under `lock` of the state */
    void *state;
};
struct svc_shm_state {
    struct svc_rmem *memory;
    struct svc_server *server;
    struct k_wait lock;
    struct svc_shm_recall recall[SVC_SHM_RECALLS];
    uint64_t recalls; /* counts them */
};

/* The cache of a cluster and the daemon that gives pages back; memory of the caller's. */
struct svc_shm {
    struct svc_rmem memory;
    struct svc_shm_state state;
    struct svc_daemon daemon;
};

/* Starts both in the calling cluster. `how` as for svc_rmem_start (guard is set here; policies that
 * cache, written back); the daemon is a thread or a task as the cache is. Errors of svc_rmem_start
 * and svc_daemon_start. Waits. */
int svc_shm_start(struct svc_shm *s, struct svc_client *c, const struct svc_rmem_attr *how);

/* Gives all pages back and ends. No other call may be under way, no region mapped. */
int svc_shm_stop(struct svc_shm *s, struct svc_client *c);

/* Regions -------------------------------------------------------------------------------------- */

enum svc_shm_flag { SVC_SHM_CREATE = 1, SVC_SHM_EXCLUSIVE = 2, SVC_SHM_READ_ONLY = 4 };
/* What clusters other than that of the creator may do. */
enum svc_shm_mode { SVC_SHM_OTHERS_READ = 1, SVC_SHM_OTHERS_WRITE = 2 };

struct svc_shm_region {
    uint32_t id;
    bool writable;
    uint64_t at; /* remote address, for svc_rmem calls on the cluster's `memory` */
    size_t size; /* as created */
};

/* Common errors: -B_ENOTCONN no server at home; -B_EIO its cluster ended; -B_EBADF the
 * region is not open in this cluster. */

/* Opens the region `name`; with SVC_SHM_CREATE makes it, with `size` bytes of zeros, if there is
 * none. -B_ENOENT: none, and not to be made; -B_EEXIST: CREATE and EXCLUSIVE, and there is one;
 * -B_EPERM: its mode does not let this cluster read, or write without READ_ONLY; -B_ENOSPC: tables
 * or memory servers are full; -B_EINVAL: name, flags, mode, or size 0. Waits. */
int svc_shm_open(struct svc_client *c, const char *name, unsigned flags, size_t size, unsigned mode,
                 struct svc_shm_region *g);

/* Undoes one open; what this cluster changed is at the memory server then. A region lives until it
 * is unlinked and closed as often as it was opened. Unmap it first. Waits. */
int svc_shm_close(struct svc_shm *s, struct svc_client *c, struct svc_shm_region *g);

/* The name is free again; who has the region open goes on. Only the creator's cluster: else
 * -B_EPERM. -B_ENOENT: no such name. */
int svc_shm_unlink(struct svc_client *c, const char *name);

/* Copies n bytes from or to the region. -B_ERANGE: not inside it; -B_EPERM: it was opened to read
 * only. Errors of svc_rmem_read. A call is not one step for others: they may see a part. */
int svc_shm_read(struct svc_shm *s, const struct svc_shm_region *g, size_t offset, void *buf,
                 size_t n);
int svc_shm_write(struct svc_shm *s, const struct svc_shm_region *g, size_t offset, const void *buf,
                  size_t n);

/* The region at addresses of this cluster: svc_rmem_map. */
int svc_shm_map(struct svc_shm *s, const struct svc_shm_region *g, void **p);
int svc_shm_unmap(struct svc_shm *s, void *p);

/* Takes the page at `offset` away from all other clusters that have the region open, and returns
 * when each of them has answered; their changes are at the memory server then. Nobody needs it for
 * consistency; it is the protocol that souto-2022 measures (Pginval). -B_ERANGE. Waits. */
int svc_shm_invalidate(struct svc_client *c, const struct svc_shm_region *g, size_t offset);

/* The server and the daemon -------------------------------------------------------------------- */

extern const struct svc_class svc_shm_server, svc_shm_daemon;

/* Bytes of the server's state in the calling machine for so many regions, and pages of all of them;
 * prepares that memory. */
size_t svc_shm_server_bytes(int regions, int pages);
void svc_shm_server_init(void *state, int regions, int pages);

#endif
