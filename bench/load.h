/* SPDX-License-Identifier: MIT */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <stdio.h>
#include <stdlib.h>

#include <hal/hosted.h>

/* A machine by its name, and the options of the environment; ends the program if one is wrong. */
static inline void bench_load(const char *name, struct hal_machine *m, struct hal_options *o)
{
    char why[512];
    if (hal_machine_load(name, m, why, sizeof why) < 0 ||
        hal_options_default(o, why, sizeof why) < 0) {
        fprintf(stderr, "%s\n", why);
        exit(1);
    }
}

#endif
