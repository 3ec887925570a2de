/* SPDX-License-Identifier: MIT */
/* Trace in the Chrome/Perfetto JSON format and counters. Both cost one test when off. */
#ifndef HAL_TRACE_H
#define HAL_TRACE_H

#include <stdbool.h>
#include <stdint.h>

/* True when a trace is being written. */
bool hal_trace_on(void);

/* A span on the calling core's row; spans nest per context, `name` is a constant string. On a core
 * with several threads, a span that waits must be ended by the thread that began it. */
struct hal_span {
    const char *name;
    uint64_t begin;
};
/* Between them *s belongs to the port. Never wait; nothing if no trace is written. */
void hal_trace_begin(struct hal_span *s, const char *name);
void hal_trace_end(const struct hal_span *s);

/* The calling cluster's value of `name`, a constant string, from now on: "memory". Nothing if no
 * trace is written. Never waits. */
void hal_trace_value(const char *name, uint64_t value);

/* Counters of a cluster, summed by name over clusters in results. `name` is a constant string such
 * as "eager.messages"; at most 64 names per machine. */
void hal_count(const char *name, uint64_t add);

/* The same, but keeps the highest value given by any cluster: "memory.high". */
void hal_count_max(const char *name, uint64_t value);

#endif
