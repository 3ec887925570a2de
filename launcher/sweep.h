/* SPDX-License-Identifier: MIT */
/* --sweep KEY=VALUES: the job once for each value of a key of the machine file. */
#ifndef LAUNCHER_SWEEP_H
#define LAUNCHER_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"

/* What VALUES means. */
struct sweep {
    const char *key; /* `key_length` bytes */
    int key_length;
    const char *unit; /* what stands behind the numbers */
    long *value;      /* `values` of them */
    size_t values;
    bool times; /* each is the one before it times the same */
};

/* What a run took. */
struct sweep_run {
    long value;
    double cycles, seconds, joules, memory, host; /* memory in KB of the fullest cluster */
};

/* Fills *s from KEY=FROM..TO:xN, KEY=FROM..TO:+N or KEY=A,B,C, whole numbers and perhaps a unit.
 * -1, or the exit code after a complaint, which begins with `name`. Its list is to be freed. */
int sweep_parse(struct sweep *s, const char *name, const char *text);

/* In a run of a sweep the KEY=VALUE that it is to set, else NULL. */
char *sweep_value(void);

/* Runs the job for each value and prints the table. The exit code: 0, or that of the first run that
 * failed. */
int sweep_jobs(const struct request *r);

/* Draws cycles and joules over the values, in the request's chart. False: errno says why the file
 * cannot be written. */
bool sweep_draw(const struct request *r, const struct sweep *s, const struct sweep_run *run,
                size_t runs);

#endif
