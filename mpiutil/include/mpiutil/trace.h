/* SPDX-License-Identifier: MIT */
/* The trace, and counters. From any thread of a rank; never wait. */
#ifndef MPIUTIL_TRACE_H
#define MPIUTIL_TRACE_H

#include <stdint.h>

/* A named span of the trace, begun and ended on one thread, and a named counter; the names are
 * constant. */
struct mpu_span {
    const char *name;
    uint64_t begin;
};
void mpu_span_begin(struct mpu_span *s, const char *name);
void mpu_span_end(const struct mpu_span *s);
void mpu_count(const char *name, uint64_t add);

#endif
