/* SPDX-License-Identifier: MIT */
#include <hal/core.h>

#include <stdatomic.h>
#include <stddef.h>

#include <base/error.h>
#include <base/here.h>

#include "port.h"

_Thread_local int hal_here_core;
_Thread_local uint64_t hal_here_clock;
_Thread_local void **b_here;
void *hal_here_local;

static struct begin {
    void (*entry)(void *arg);
    void *arg;
    atomic_bool started;
} begins[CORES];

int hal_core_start(int core, void (*entry)(void *arg), void *arg)
{
    if (core < 1 || core >= hal_machine_cores(hal_machine(), hal_cluster()) || core >= CORES)
        return -B_EINVAL;
    if (atomic_exchange(&begins[core].started, true))
        return -B_EBUSY;
    begins[core].entry = entry;
    begins[core].arg = arg;
    port_start(hal_cluster(), core);
    return 0;
}

_Noreturn void port_core_run(int core)
{
    begins[core].entry(begins[core].arg);
    port_stop();
}

void hal_local_set(void *p)
{
    hal_here_local = p;
}
