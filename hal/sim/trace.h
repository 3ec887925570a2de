/* SPDX-License-Identifier: MIT */
/* What the other files of the port put into the trace. */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct sim_core;
struct sim_transfer;

/* Opens the file named by the options and describes the machine in it; false: it cannot be
 * written. */
bool sim_trace_create(const char *path);
void sim_trace_destroy(void);

extern bool sim_trace_active;

void sim_trace_span(const struct sim_core *c, const char *name, uint64_t begin);
void sim_trace_sent(const struct sim_transfer *t);

/* A core waited from `begin` until now. */
static inline void sim_trace_wait(const struct sim_core *c, const char *name, uint64_t begin)
{
    if (sim_trace_active) {
        sim_trace_span(c, name, begin);
    }
}

#endif
