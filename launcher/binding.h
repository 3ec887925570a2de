/* SPDX-License-Identifier: MIT */
/* Which processors a process may use: --bind-to and --map-by. */
#ifndef LAUNCHER_BINDING_H
#define LAUNCHER_BINDING_H

#include <sched.h>

#include "options.h"

struct binding;

/* Reads how the processors that mpiexec may use make cores, caches, memories and sockets. What the
 * system does not tell is one part. NULL: no memory. */
struct binding *binding_make(const struct request *r);

/* The processors of process `process`. */
void binding_of(const struct binding *b, int process, cpu_set_t *set);

/* The processors of *set as text: "0-3,8". */
void binding_text(const cpu_set_t *set, char *text, size_t size);

#endif
