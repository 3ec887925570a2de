/* SPDX-License-Identifier: MIT */
/* What --profile says of the critical path, and of one rank computing faster; and whether that is
 * true, by a second run. */
#ifndef LAUNCHER_PROVE_H
#define LAUNCHER_PROVE_H

#include <stdbool.h>
#include <stdio.h>

#include "plan.h"

/* Is this mpiexec a second run? It writes no files but those of the programs, and tells the first
 * one how many seconds of the machine the job took. */
bool prove_runs(void);
void prove_tell(double seconds);

/* Prints the critical path of the job that has ended. In virtual time also by how much the job
 * would be shorter if the rank that computes most of it did so twice as fast; with --prove, after
 * running the job again so, by how much it is. Waits for that run. */
void prove(const struct plan *plan, FILE *to);

#endif
