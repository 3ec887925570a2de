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
    int number; /* of the process in its job */
    int news;   /* closes on exec: how it tells that it did not get there */
    const char *path;
    char **argv, **envp;
    int in, out, err;
    int keep;                   /* a descriptor to hand on although it closes on exec; -1 none */
    const sigset_t *mask;       /* signal mask of mpiexec's caller */
    const struct rlimit *files; /* limit of open files of mpiexec's caller */
    const char *wdir;           /* where it runs; NULL: where mpiexec does */
    const cpu_set_t *cpus;      /* processors that it may use; NULL: all of mpiexec's */
};

/* What comes out of `news` for each process that could not become its program: the errno of what
 * failed. It is written before the process ends, at once and whole. */
struct start_failure {
    int number, error;
};

/* Starts a process that dies with mpiexec, and does not wait until it has become its program.
 * Returns its pid, or -errno. */
pid_t start_process(const struct start *s);

/* Why a process could not be started, in words. */
const char *start_error(int error);

#endif
