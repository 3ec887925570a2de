/* SPDX-License-Identifier: MIT */
/* Cores: who am I, start another one, and the one pointer a cluster owns. */
#ifndef HAL_CORE_H
#define HAL_CORE_H

#include <stdint.h>

/* Where the calling core is, kept by the port: its number in each core's own storage, and the
 * cluster's pointer. Plain variables, because the kernel asks for them on each of its paths; a
 * thread of the host that is no core reads 0. Only the functions below and the port touch them. */
#define HAL_HERE __attribute__((visibility("hidden")))
extern HAL_HERE _Thread_local int hal_here_core __attribute__((tls_model("initial-exec")));
extern HAL_HERE void *hal_here_local;
extern HAL_HERE _Thread_local uint64_t hal_here_clock
    __attribute__((tls_model("initial-exec"))); /* hal/clock.h, hal_clock_recent */

/* Number of the calling core's cluster, 0 .. hal_machine_clusters()-1, and of the core inside it,
 * 0 .. hal_machine_cores()-1. From any context. Never block. */
int hal_cluster(void);
static inline int hal_core(void)
{
    return hal_here_core;
}

/* Starts core `core` (1 .. cores-1) of the calling cluster at entry(arg), on a stack of the HAL.
 * entry may return: the core then stops for good. Errors: -B_EINVAL no such core, -B_EBUSY already
 * started. Does not wait for the core to run. */
int hal_core_start(int core, void (*entry)(void *arg), void *arg);

/* The pointer of the calling cluster, the same on all its cores; NULL until set. The kernel keeps
 * its struct cluster there. hal_local_set may be called once, before other cores are started. */
static inline void *hal_local(void)
{
    return hal_here_local;
}
void hal_local_set(void *p);

#endif
