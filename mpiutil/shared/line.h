/* SPDX-License-Identifier: MIT */
/* Lines of memory that processors share. */
#ifndef MPIUTIL_SHARED_LINE_H
#define MPIUTIL_SHARED_LINE_H

#include <stdint.h>

/* The calling core will write n bytes from `at` on, which begins a line: these lines come into its
 * cache meanwhile, all at once. Never waits. */
void mpu_lines_expect(const void *at, uint64_t n);

#endif
