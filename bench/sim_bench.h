/* SPDX-License-Identifier: MIT */
/* What the benchmarks of the simulated machine share: runs measured in CPU seconds. */
#ifndef SIM_BENCH_H
#define SIM_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <hal/hosted.h>

#include "load.h"
#include "median.h"

#define BENCH_RUNS 5

static inline double bench_cpu(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* CPU seconds of one run, the making and ending of the machine included. */
static inline double bench_run(const struct hal_machine *m, const struct hal_options *o,
                               void (*boot)(void *arg), void *arg)
{
    double begin = bench_cpu();
    int status = hal_run(m, o, boot, arg);
    if (status != 0) {
        fprintf(stderr, "the machine ended with status %d\n", status);
        exit(1);
    }
    return bench_cpu() - begin;
}

#endif
