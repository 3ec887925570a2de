/* SPDX-License-Identifier: MIT */
/* What lies below the clusters of a fake world (fake.h): answers to the kernel calls that mpiutil
 * makes, memory that the clusters share, if they do, and nobody who could wait. */
#ifndef MPIUTIL_TEST_FAKE_KERNEL_H
#define MPIUTIL_TEST_FAKE_KERNEL_H

#include "fake.h"

void fake_kernel_begin(const struct fake_shape *s);
void fake_kernel_end(void);

/* Kernel calls come from this cluster now. Returns its pointer (k_cluster_local). */
void *fake_kernel_enter(int cluster);

/* How often a cluster asked for memory of another one since the world began. */
int fake_kernel_reads(void);

/* Rings for watched words of the board that have changed. */
void fake_kernel_look(void);

#endif
