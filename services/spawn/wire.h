/* SPDX-License-Identifier: MIT */
/* Messages of the spawn service: docs/wire.md. */
#ifndef SPAWN_WIRE_H
#define SPAWN_WIRE_H

#include <svc/message.h>

enum spawn_op {
    SPAWN_ENDED = SVC_OP_FIRST, /* spawn_ended, a few at once -> nothing */
    SPAWN_WAIT,                 /* spawn_wait -> spawn_end */
    SPAWN_ENLIST,               /* spawn_enlist -> nothing */
    SPAWN_FINISH                /* nothing -> spawn_finished; from the server's cluster */
};

enum { SPAWN_ENDS = 13 }; /* in one message */
struct spawn_ended {
    uint32_t count; /* 1 .. SPAWN_ENDS */
    struct {
        int32_t rank;
        int32_t status;
    } end[SPAWN_ENDS]; /* zeros after those that count */
};
struct spawn_wait {
    int32_t rank; /* or SVC_ALL_RANKS, SVC_FIRST_FAILURE */
    uint32_t timeout_us;
};
struct spawn_end {
    int32_t rank;
    uint32_t fate; /* enum svc_fate */
    int32_t status;
};
struct spawn_enlist {
    uint8_t service;
    uint8_t level;
    uint16_t zero;
};
struct spawn_finished {
    uint32_t failed;
};
_Static_assert(sizeof(struct spawn_ended) == 108 && sizeof(struct spawn_wait) == 8 &&
                   sizeof(struct spawn_end) == 12 && sizeof(struct spawn_enlist) == 4,
               "docs/wire.md");

#endif
