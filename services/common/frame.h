/* SPDX-License-Identifier: MIT */
/* The parts of the frame among themselves. */
#ifndef COMMON_FRAME_H
#define COMMON_FRAME_H

#include <svc/server.h>

/* Outgoing messages: gives results to who sent them; starts what waits, and returns when it wants
 * to be called again even if no bell rings. */
void svc_out_init(struct svc_server *s);
void svc_out_settle(struct svc_server *s, uint64_t now);
uint64_t svc_out_start(struct svc_server *s, uint64_t now);

/* Requests of this server to others: finds the one that `m` of cluster `node` answers (true), asks
 * for signs of life, returns when the next is due. */
bool svc_call_answer(struct svc_server *s, const struct svc_message *m, int node);
uint64_t svc_call_step(struct svc_server *s, uint64_t now);

#endif
