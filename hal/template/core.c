/* SPDX-License-Identifier: MIT */
/* To write: the numbers from the processor's own registers (a hart id, MPIDR), the start of a core
 * from the word that it waits for since reset, and a word of the cluster for hal_local. */
#include <hal/core.h>

#include <stddef.h>

#include <base/error.h>

int hal_cluster(void)
{
    return 0;
}

int hal_core(void)
{
    return 0;
}

int hal_core_start(int core, void (*entry)(void *arg), void *arg)
{
    (void)core;
    (void)entry;
    (void)arg;
    return -B_ENOSYS;
}

void *hal_local(void)
{
    return NULL;
}

void hal_local_set(void *p)
{
    (void)p;
}
