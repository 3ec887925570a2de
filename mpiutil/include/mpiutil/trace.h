/* SPDX-License-Identifier: MIT */
/* The trace, and counters. From any thread of a rank; never wait. */
#ifndef MPIUTIL_TRACE_H
#define MPIUTIL_TRACE_H

#include <stdint.h>

struct mpu_rank;

/* A named span of the trace, begun and ended on one thread, the rank's; the name is constant. */
struct mpu_span {
    const char *name;
    uint64_t begin;
};
void mpu_span_begin(struct mpu_span *s, const char *name);
void mpu_span_end(struct mpu_rank *r, const struct mpu_span *s);

/* The name of the protocol or algorithm by which the rank last sent, received or met others since
 * this was asked before. NULL: of none, or no trace is written. */
const char *mpu_last_way(struct mpu_rank *r);

/* Counts something that happens on the rank's thread, under a constant name: once more. */
void mpu_count(struct mpu_rank *r, const char *name);

#endif
