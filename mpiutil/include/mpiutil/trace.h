/* SPDX-License-Identifier: MIT */
/* The trace, and counters. From any thread of a rank; never wait. */
#ifndef MPIUTIL_TRACE_H
#define MPIUTIL_TRACE_H

#include <stdint.h>

struct mpu_rank;

/* A named span of the trace, begun and ended on one thread; the name is constant. */
struct mpu_span {
    const char *name;
    uint64_t begin;
};
void mpu_span_begin(struct mpu_span *s, const char *name);
void mpu_span_end(const struct mpu_span *s);

/* Counts something that happens on the rank's thread, under a constant name: once more. */
void mpu_count(struct mpu_rank *r, const char *name);

#endif
