/* SPDX-License-Identifier: MIT */
/* getopt with all that it remembers in memory of the caller (POSIX.1-2017 getopt; the extensions of
 * the GNU C library's manual, 25.2): the C library keeps its place in hidden variables of the
 * process, which ranks on several cores cannot share. */
#ifndef PROCESS_GETOPT_H
#define PROCESS_GETOPT_H

#include <getopt.h>
#include <stdbool.h>

/* Where a reader of options is. Zero before the first call. */
struct image_options {
    const char *next;  /* rest of a word of short options; NULL or empty: none */
    int first, behind; /* operands that were passed over: argv[first .. behind - 1] */
    bool begun;
};

/* The variables that the program sees. */
struct image_optvars {
    int *optind, *opterr, *optopt;
    char **optarg;
};

/* As getopt (longs NULL), getopt_long and getopt_long_only. */
int image_getopt(struct image_options *o, const struct image_optvars *v, int argc,
                 char *const *argv, const char *options, const struct option *longs, int *index,
                 bool only_long);

#endif
