/* SPDX-License-Identifier: MIT */
/* What the two-process benchmarks of the linux port share. */
#ifndef BENCH_LINUX_PAIR_H
#define BENCH_LINUX_PAIR_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <hal/hosted.h>

#include "median.h"

/* One cache line in memory that both processes share; made before the machine runs. */
struct pair_line {
    _Alignas(128) atomic_uint ball;
};
extern struct pair_line *pair_lines; /* two of them, beside each other */

/* Runs boot on two clusters of one core each, on processors of their own, polling. Returns the
 * status for main. */
int pair_run(const char *machine, size_t memory, void (*boot)(void *arg));

/* One way of a cache line between the two, in nanoseconds: a ball goes `rounds` times there and
 * back. Both clusters call it. */
double pair_line_ns(int me, int rounds);

#endif
