/* SPDX-License-Identifier: MIT */
/* What the user asked mpiexec for. */
#ifndef LAUNCHER_OPTIONS_H
#define LAUNCHER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <svc/spawn.h>

/* Exit codes of mpiexec's own, beside those of the program (128+s: ended by signal s). */
enum {
    EXIT_USAGE = 2,     /* the command line or the environment makes no sense */
    EXIT_TIMEOUT = 124, /* --timeout */
    EXIT_CANNOT_RUN = 126,
    EXIT_NO_PROGRAM = 127
};

struct request {
    int ranks;
    const char *machine;
    enum svc_map map;
    int per_cluster; /* 0: as many as the machine takes by default */
    double timeout;  /* seconds of wall time, 0: none */
    bool label, stats, verbose;
    const char
        *virtual_only; /* an option that was given and only makes sense in virtual time, or NULL */
    const char *wdir;
    char **command; /* program and its arguments, NULL terminated */
};

/* Fills *r from the command line. Options that are the program's or the machine's environment (-x,
 * --seed, ...) go straight into this process's environment, which the ranks inherit. Returns -1 to
 * go on, or the exit code to end with, everything said already. */
int options_parse(struct request *r, int argc, char **argv);

/* Prints "mpiexec: ", the formatted line and a line end on standard error. */
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);

/* The one of `names` (NULL terminated) that differs least from `word`, NULL if none is near. */
const char *suggest(const char *word, const char *const *names);

#endif
