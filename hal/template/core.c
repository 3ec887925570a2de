/* SPDX-License-Identifier: MIT */
/* To write: the numbers from the processor's own registers (a hart id, MPIDR), the start of a core
 * from the word that it waits for since reset. The thread pointer of each core names its own
 * storage, in which its start puts hal_here_core. */
#include <hal/core.h>

#include <stddef.h>

#include <base/error.h>
#include <base/here.h>

#include "missing.h"

_Thread_local int hal_here_core;
_Thread_local uint64_t hal_here_clock;
_Thread_local void **b_here;
void *hal_here_local;

int hal_cluster(void)
{
    return 0;
}

int hal_core_start(int core, void (*entry)(void *arg), void *arg)
{
    MISSING();
    (void)core;
    (void)entry;
    (void)arg;
    return -B_ENOSYS;
}

void hal_local_set(void *p)
{
    MISSING();
    (void)p;
}
