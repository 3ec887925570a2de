/* SPDX-License-Identifier: MIT */
/* --sweep KEY=VALUES: the job once for each value of a key of the machine file, or of a variable in
 * the environment. */
#ifndef LAUNCHER_SWEEP_H
#define LAUNCHER_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"

/* What VALUES means. */
struct sweep {
    const char *key; /* `key_length` bytes */
    int key_length;
    const char *unit; /* what stands behind the numbers; of words "" */
    char **value;     /* `values` of them, as --set has them but for the unit */
    size_t values;
    bool words; /* they are no numbers of one unit: they have no distance from each other */
    bool times; /* each is the one before it times the same */
};

/* What a run took. */
struct sweep_run {
    const char *value;
    double cycles, seconds, joules, memory, host; /* memory in KB of the fullest cluster */
    char computation[80]; /* how it was taken, in the words of --stats up to a colon or comma */
};

/* Fills *s from KEY=FROM..TO:xN, KEY=FROM..TO:+N or KEY=A,B,C. The first two, and a list of numbers
 * of which none but the last has a unit, are whole numbers and perhaps a unit. -1, or the exit code
 * after a complaint, which begins with `name`. _free: what *s has after a -1. */
int sweep_parse(struct sweep *s, const char *name, const char *text);
void sweep_free(struct sweep *s);

/* Of the variables that change what a job takes those that may be swept, as KEY; NULL ends them. */
extern const char *const sweep_variables[];
bool sweep_is_variable(const char *setting); /* KEY=VALUE: whether KEY is one */

/* In a run of a sweep over a variable sets it, above what options say of it. */
void sweep_set_variable(void);

/* In a run of a sweep the KEY=VALUE that it is to set, else NULL. */
char *sweep_value(void);

/* The path of the table of a chart, FILE.csv beside FILE or FILE.svg, to be freed; NULL: it has
 * none. */
char *sweep_table(const char *chart);

/* Runs the job for each value and prints the table. The exit code: 0, or that of the first run that
 * failed. */
int sweep_jobs(const struct request *r);

/* Draws cycles and joules over the values, in the request's chart. False: the file cannot be
 * written, which is said. */
bool sweep_draw(const struct request *r, const struct sweep *s, const struct sweep_run *run,
                size_t runs);

#endif
