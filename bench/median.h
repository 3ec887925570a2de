/* SPDX-License-Identifier: MIT */
#ifndef BENCH_MEDIAN_H
#define BENCH_MEDIAN_H

#include <stdlib.h>

static inline int bench_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void bench_sort(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, bench_by_value);
}

/* The middle one of an odd number of values, which are sorted by it. */
static inline double bench_median(double *values, int n)
{
    bench_sort(values, n);
    return values[n / 2];
}

#endif
