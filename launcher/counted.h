/* SPDX-License-Identifier: MIT */
/* mpiexec --stats of a bare machine: the counters that it tells when it ends, and what the memory
 * of a cluster is used for. */
#ifndef LAUNCHER_COUNTED_H
#define LAUNCHER_COUNTED_H

#include <stdio.h>

#include <hal/machine.h>
#include <svc/spawn.h>

/* A line of the machine's (HAL_VIRT_COUNTER). One that is nothing of the kind is left out. */
void counted_take(const char *line);

/* What --stats prints, of the clusters that came to their end; nothing if none did. `wall`:
 * seconds of this computer. */
void counted_print(FILE *to, const struct hal_machine *m, const struct svc_job *job, double wall);

#endif
