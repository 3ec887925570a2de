/* SPDX-License-Identifier: MIT */
/* What collectives need of the machine besides messages: the trace, and counters. From any thread
 * of a rank; never wait. */
#ifndef MPIUTIL_COLL_H
#define MPIUTIL_COLL_H

#include <stdbool.h>
#include <stdint.h>

#include <mpiutil/message.h>

/* A named span of the trace, begun and ended on one thread, and a named counter; the names are
 * constant. */
struct mpu_span {
    const char *name;
    uint64_t begin;
};
void mpu_span_begin(struct mpu_span *s, const char *name);
void mpu_span_end(const struct mpu_span *s);
void mpu_count(const char *name, uint64_t add);

/* How many clusters the ranks of c live in; -B_ENOMEM. *fullest: how many in the one with most. */
int mpu_comm_clusters(struct mpu_rank *r, const struct mpu_comm *c, int *fullest);

#endif
