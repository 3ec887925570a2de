/* SPDX-License-Identifier: MIT */
/* Messages of the semaphore service: docs/wire.md. */
#ifndef SEMAPHORE_WIRE_H
#define SEMAPHORE_WIRE_H

#include <svc/message.h>

enum semaphore_op {
    SEM_OPEN = SVC_OP_FIRST, /* sem_open -> sem_id */
    SEM_CLOSE,               /* sem_id -> nothing */
    SEM_UNLINK,              /* text -> nothing */
    SEM_WAIT,                /* sem_wait -> nothing */
    SEM_TRY,                 /* sem_id -> nothing */
    SEM_POST,                /* sem_id -> nothing */
    SEM_VALUE                /* sem_id -> sem_value */
};

struct sem_open {
    struct svc_text name;
    uint32_t flags; /* enum svc_sem_flag */
    uint32_t value;
};
struct sem_id {
    uint32_t id;
};
struct sem_wait {
    uint32_t id;
    uint32_t timeout_us;
};
struct sem_value {
    int32_t value;
};
_Static_assert(sizeof(struct sem_open) == 72 && sizeof(struct sem_wait) == 8, "docs/wire.md");

#endif
