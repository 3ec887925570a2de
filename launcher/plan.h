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
    bool bare;         /* and that is QEMU, time is not modelled: a machine of docs/riscv.md */
    struct hal_machine machine;
    struct hal_options options;
    struct svc_job job;
    int processes; /* of ranks */
    int helpers;   /* 1: one more, of the services; it is the cluster after theirs */
    bool recorded; /* calls of ranks are: records.h */
    /* Its cores share the processors of this computer. */
    bool oversubscribed;
    bool shared; /* several ranks live in one process */
    const struct request *request;
    struct program *program; /* of each app of the request */
};

/* The app whose program process `process` is: that of its first rank. */
int plan_app(const struct plan *plan, int process);

/* Works the job out and checks that it is possible. -1, or the exit code after a complaint. */
int plan_make(const struct request *r, struct plan *plan);

/* Finds the programs and checks them against the plan: ranks that share a process need programs
 * that use MPI, and are warned about writable globals. Returns -1, or the exit code after a
 * complaint. */
int plan_programs(struct plan *plan);

/* Puts into this process's environment what every process of the job reads. Returns -1, or the exit
 * code after a complaint. */
int plan_export(const struct plan *plan, const struct request *r);

/* The same for what is known once the programs are found. */
int plan_export_programs(const struct plan *plan);

/* Names the ranks that process `process` holds: "rank 3", "ranks 4-7", "ranks 0, 2, 4". */
void plan_ranks(const struct plan *plan, int process, char *text, size_t size);

#endif
