/* SPDX-License-Identifier: MIT */
#ifndef GF_OPTIONS_H
#define GF_OPTIONS_H

#include <stdbool.h>

struct gf_options {
    const char *input, *output;
    int mask;     /* lines and columns of the mask, odd */
    double sigma; /* of the Gaussian, pixels */
    int rows;     /* most rows in one stripe, 0 = chosen by memory */
    int cycles;   /* modelled processor cycles of one multiply-add */
    bool check;   /* compare the result with a serial run */
    bool progress;
};

/* Reads the command line. Returns -1 to go on, or the program's exit code after printing help or
 * one line that says what is wrong. Keeps pointers into argv. */
int gf_options_read(struct gf_options *o, int argc, char **argv);

#endif
