/* SPDX-License-Identifier: MIT */
/* What lies below the clusters of a fake world (fake.h): answers to the kernel calls that mpiutil
 * makes, memory that the clusters share, if they do, and whoever else moves while a rank waits. */
#ifndef MPIUTIL_TEST_FAKE_KERNEL_H
#define MPIUTIL_TEST_FAKE_KERNEL_H

#include "fake.h"

void fake_kernel_begin(const struct fake_shape *s);
void fake_kernel_end(void);

/* Kernel calls come from this cluster now. Returns its pointer (k_cluster_local). */
void *fake_kernel_enter(int cluster);

/* How often a cluster asked for memory of another one since the world began. */
int fake_kernel_reads(void);

/* Rings for watched words of the board that have changed, if a cluster was told since it did. */
void fake_kernel_look(void);

#endif
