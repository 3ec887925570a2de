/* SPDX-License-Identifier: MIT */
/* What the other files of the port put into the trace. */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct sim_core;
struct sim_transfer;

/* Opens the file `path`, a text that stays, and describes the machine in it. False: it cannot be
 * written, which is said. */
bool sim_trace_create(const char *path);
/* False: not all of the trace could be written, which is said. */
bool sim_trace_destroy(void);

extern bool sim_trace_active;

void sim_trace_span(const struct sim_core *c, const char *name, uint64_t begin);
void sim_trace_begun(void); /* a transfer is about to, */
void sim_trace_sent(const struct sim_transfer *t);

/* A number of a row from cycle `at` on: of a cluster, or, as number cluster_count, of the machine.
 * Its parts are drawn one on the other. */
void sim_trace_number(int row, const char *name, const char *part, uint64_t at, double value);

/* sample.c: writes the loads and the power of the time from cycle `since` until now; loads until
 * `quiet`, since when no transfer has begun, for themselves. False: no memory. */
bool sim_sample_create(void);
void sim_sample(uint64_t since, uint64_t quiet);
void sim_sample_destroy(void);

/* A core waited from `begin` until now. */
static inline void sim_trace_wait(const struct sim_core *c, const char *name, uint64_t begin)
{
    if (sim_trace_active)
        sim_trace_span(c, name, begin);
}

#endif
