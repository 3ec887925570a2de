/* SPDX-License-Identifier: MIT */
/* A job that runs, as job.c starts it and supervise.c watches it. */
#ifndef LAUNCHER_RUN_H
#define LAUNCHER_RUN_H

#include <stdbool.h>
#include <sys/types.h>

#include <hal/job.h>

#include "binding.h"
#include "plan.h"
#include "relay.h"

struct process {
    pid_t pid;  /* 0: not started, or reaped */
    int status; /* exit code once reaped */
};

struct run {
    const struct request *request;
    const struct plan *plan;
    struct hal_job *job;     /* NULL in virtual time */
    struct relay *relay;     /* NULL: the only process writes to mpiexec's own descriptors */
    struct process *process; /* those of ranks, then helpers; on linux process i is cluster i */
    char **runner;           /* the words that run an image, NULL: there is none */
    struct binding *binding; /* NULL: the system decides where processes run */
    int live;                /* started and not yet reaped */
    int signals;             /* signalfd of everything that mpiexec reacts to */
    int news;                /* struct start_failure of those that cannot start; -1: all have */
    double begin;            /* run_time() at the start */
    double alone;            /* when only helpers were left, 0: ranks live */
    double grace;            /* when those are killed that a signal has not ended; 0: never */
    bool timed_out;          /* who waits for what was asked for at the time-out */
    bool begun;              /* no process failed to become its program */
    bool ending;             /* the job is being ended: further ends are no news */
    int code;                /* why, as exit code; valid when ending */
    char why[256];           /* the same as a line, "" for none; printed after the last output */
};

/* Seconds of a clock that only goes forward. */
double run_time(void);

/* Ends the job now: kills what lives. The first call decides mpiexec's exit code and last line;
 * format NULL: no line. */
__attribute__((format(printf, 3, 4))) void run_end(struct run *run, int code, const char *format,
                                                   ...);

/* Watches the processes until all have ended and are reaped. */
void run_supervise(struct run *run);

/* At a time-out: a line about each process that told nothing of what it waits for. */
void run_name_silent(const struct run *run);

/* The job was ended early: processes that its processes left behind end too. Needs
 * PR_SET_CHILD_SUBREAPER. */
void run_sweep(void);

#endif
