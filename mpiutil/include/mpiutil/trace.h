/* SPDX-License-Identifier: MIT */
/* The trace, and counters. From any thread of a rank; never wait. */
#ifndef MPIUTIL_TRACE_H
#define MPIUTIL_TRACE_H

#include <stdbool.h>

#include <sys/k_info.h>

struct mpu_rank;

/* A named span of the trace on the row of the rank's core, if that has no other ranks; begun and
 * ended on the rank's thread. The name is constant; `way`: it is that of a protocol or an
 * algorithm. */
struct mpu_span {
    struct k_span core;
};
void mpu_span_begin(struct mpu_rank *r, struct mpu_span *s, const char *name);
void mpu_span_end(struct mpu_rank *r, const struct mpu_span *s, bool way);

/* Where the rank's last way is noted. Who asks for this draws the rank's calls
 * himself: from then on spans are nothing but this note, and no clock is read for them. */
const char **mpu_last_way(struct mpu_rank *r);

/* Counts something that happens on the rank's thread, under a constant name: once more. */
void mpu_count(struct mpu_rank *r, const char *name);

#endif
