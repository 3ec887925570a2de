/* SPDX-License-Identifier: MIT */
/* A job while it runs: its processes, their output, their end. */
#ifndef LAUNCHER_JOB_H
#define LAUNCHER_JOB_H

#include "options.h"
#include "plan.h"

/* Runs the job to its end and returns the exit code of mpiexec. Nothing of the job is left then. */
int job_run(const struct request *r, const struct plan *plan);

#endif
