/* SPDX-License-Identifier: MIT */
/* Messages of shared memory: docs/wire.md. */
#ifndef SHM_WIRE_H
#define SHM_WIRE_H

#include <svc/message.h>

enum shm_server_op {
    SHM_OPEN = SVC_OP_FIRST, /* shm_open -> shm_region */
    SHM_CLOSE,               /* shm_page (page 0) -> nothing */
    SHM_UNLINK,              /* text -> nothing */
    SHM_CLAIM,               /* svc_rmem_claim -> nothing, when the page may be fetched */
    SHM_TOLD,                /* svc_rmem_claim, one-way: it was */
    SHM_INVALIDATE           /* shm_page -> nothing */
};

enum shm_daemon_op {
    SHM_RECALL = SVC_OP_FIRST /* shm_recall -> nothing; from the server */
};

struct shm_open {
    struct svc_text name;
    uint64_t size;
    uint32_t flags, mode; /* enum svc_shm_flag, svc_shm_mode */
};
struct shm_region {
    uint64_t at, size;
    uint32_t id, zero;
};
struct shm_page {
    uint32_t id, page;
};
struct shm_recall {
    uint64_t page;
    uint32_t keep, zero; /* keep: it may still be read */
};
_Static_assert(sizeof(struct shm_open) == 80 && sizeof(struct shm_region) == 24 &&
                   sizeof(struct shm_page) == 8 && sizeof(struct shm_recall) == 16,
               "docs/wire.md");

#endif
