/* SPDX-License-Identifier: MIT */
/* The command line of an application, read by a table. */
#ifndef APPS_OPTIONS_H
#define APPS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum option_kind { OPTION_FLAG, OPTION_INT, OPTION_REAL, OPTION_TEXT }; /* bool int double char* */

struct option {
    const char *name;  /* "--mask" */
    const char *value; /* "N" in the help, "" for a flag */
    const char *help;  /* default included */
    enum option_kind kind;
    size_t offset;       /* in the application's structure */
    double least, most;  /* numbers only */
    int step;            /* numbers: 0, or what least must be added to how often: 2 is "odd" */
    const char *allowed; /* "a number, 1 or more": what would have been right */
};

struct usage {
    const char *program;
    const char *arguments;       /* behind "usage: program [options]", may be "" */
    const char *about;           /* one line or more, each with its end */
    const struct option *option; /* ended by name NULL */
    int files_most;              /* arguments that are no options: how many there may be */
    size_t files_offset;         /* of an array of const char * that takes them */
};

/* What several applications understand: what computation costs where it is annotated, a size for
 * tests, and a look at their own answer. */
#define OPTION_CYCLES(of, offset)                                                                  \
    {                                                                                              \
        "--cycles", "N", "cycles of " of ", if computation is annotated", OPTION_INT, offset, 0,   \
            1e9, 0, "a number, 0 or more"                                                          \
    }
#define OPTION_QUICK(size, offset)                                                                 \
    {                                                                                              \
        "--quick", "", size, OPTION_FLAG, offset, 0, 0, 0, ""                                      \
    }
#define OPTION_CHECK(offset)                                                                       \
    {                                                                                              \
        "--check", "", "compare the result with a serial run", OPTION_FLAG, offset, 0, 0, 0, ""    \
    }

/* Reads argv into `values`, which holds the defaults; keeps pointers into argv. Returns -1 to go
 * on, or the program's exit code: 0 after --help, 2 after one line that says what is wrong. Prints
 * only if `speaks`: all ranks read the same line, one speaks. */
int options_read(const struct usage *u, void *values, int argc, char **argv, bool speaks);

/* Prints one line "program: why; program --help tells more" if `speaks`; returns 2. */
int options_refuse(const struct usage *u, bool speaks, const char *why);

#endif
