/* SPDX-License-Identifier: MIT */
/* Memory of another cluster's process, copied with the system's help. Some systems refuse it
 * (seccomp, Yama, another user). */
#ifndef HAL_LINUX_REACH_H
#define HAL_LINUX_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lx_direction { LX_GET, LX_PUT };

/* Copies n bytes between `address` of that cluster's process and memory here. -B_EFAULT: a part of
 * it is no memory; -B_ENOSYS: the system refuses, and does not have to be asked again. */
int lx_reach(int cluster, uint64_t address, void *here, size_t n, enum lx_direction d);

/* Whether it helps; asks with one byte, if it was not asked before. */
bool lx_reaches(int cluster, uint64_t address, void *here, enum lx_direction d);

#endif
