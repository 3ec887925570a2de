/* SPDX-License-Identifier: MIT */
/* What the environment of one process says of it alone; what it says to all is in export.c. */
#ifndef LAUNCHER_IDENTITY_H
#define LAUNCHER_IDENTITY_H

#include "run.h"

#define IDENTITY_VARIABLES 4
#define IDENTITY_TEXT      128

/* Variables as NAME=value, ready for an environment. */
struct identity {
    int n;
    char text[IDENTITY_VARIABLES][IDENTITY_TEXT];
};

/* Forgets those that mpiexec itself was started with: it may be part of another job. */
void identity_clear(void);

/* Process `process` of the job: its place in the shared mapping, and, where it is one rank, which,
 * and its number among the job's processes on this computer. Nothing in virtual time. */
void identity_of(const struct run *run, int process, struct identity *id);

#endif
