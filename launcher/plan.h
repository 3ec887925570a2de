/* SPDX-License-Identifier: MIT */
/* A job worked out: machine, processes, ranks. */
#ifndef LAUNCHER_PLAN_H
#define LAUNCHER_PLAN_H

#include <stddef.h>

#include <hal/hosted.h>
#include <hal/machine.h>
#include <svc/spawn.h>

#include "options.h"
#include "program.h"

struct plan {
    bool virtual_time; /* the machine runs in one process; else a process per cluster */
    struct hal_machine machine;
    struct hal_options options;
    struct svc_job job;
    int processes;
    bool shared; /* several ranks live in one process */
};

/* Works the job out and checks that it is possible. -1, or the exit code after a complaint. */
int plan_make(const struct request *r, struct plan *plan);

/* Checks the program against the plan: ranks that share a process need a program that uses MPI, and
 * are warned about writable globals. Returns -1, or the exit code after a complaint. */
int plan_check_program(const struct plan *plan, const struct program *p, char **command);

/* Puts into this process's environment what every process of the job reads. Returns -1, or the exit
 * code after a complaint. */
int plan_export(const struct plan *plan, const struct request *r);

/* Names the ranks that process `process` holds: "rank 3", "ranks 4-7", "ranks 0, 2, 4". */
void plan_ranks(const struct plan *plan, int process, char *text, size_t size);

#endif
