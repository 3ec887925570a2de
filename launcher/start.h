/* SPDX-License-Identifier: MIT */
/* Starting one process of a job. */
#ifndef LAUNCHER_START_H
#define LAUNCHER_START_H

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

/* What a new process gets. Descriptors: -1 = inherit mpiexec's. */
struct start {
    const char *path;
    char **argv, **envp;
    int in, out, err;
    int keep;                   /* a descriptor to hand on although it closes on exec; -1 none */
    const sigset_t *mask;       /* signal mask of mpiexec's caller */
    const struct rlimit *files; /* limit of open files of mpiexec's caller */
    const char *wdir;           /* where it runs; NULL: where mpiexec does */
    const cpu_set_t *cpus;      /* processors that it may use; NULL: all of mpiexec's */
};

/* Starts a process that dies with mpiexec. Returns its pid, or -errno of the call that failed. */
pid_t start_process(const struct start *s);

#endif
