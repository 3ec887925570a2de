/* SPDX-License-Identifier: MIT */
/* How clusters and cores begin. The core that runs first copies the image into the memory of each
 * cluster before anything is written to it, with page tables that show each its own memory. */
#include "port.h"

#include <base/fmt.h>
#include <base/mem.h>
#include <hal/core.h>
#include <hal/power.h>

extern const char storage[], storage_end[], bss[], core_reset[];
extern uint64_t gigabytes[], tables_end[];
extern char cores[];

void port_main(void);
_Noreturn void core_begin(int cluster, int core);
_Noreturn void core_fault(uint64_t why, uint64_t at, uint64_t address);

static int cluster_here;

int hal_cluster(void)
{
    return cluster_here;
}

int port_number(int cluster, int core)
{
    int number = core;
    for (int i = 0; i < cluster; i++)
        number += hal_machine_cores(&port_board.machine, i);
    return number;
}

/* PSCI's CPU_ON. */
void port_start(int cluster, int core)
{
    int number = port_number(cluster, core);
    port_awake(1);
    register uint64_t x0 __asm__("x0") = 0xc4000003;
    register uint64_t x1 __asm__("x1") = (uint64_t)(number / 16) << 8 | (uint64_t)(number % 16);
    register uint64_t x2 __asm__("x2") = (uint64_t)port_there(cluster, core_reset);
    register uint64_t x3 __asm__("x3") = (uint64_t)cluster << 8 | (uint64_t)core;
    __asm__ volatile("dsb sy\n\thvc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : : "memory");
}

static void start_cluster(int cluster)
{
    char *there = port_there(cluster, (void *)IMAGE);
    memcpy(there, (void *)IMAGE, (size_t)(bss - (char *)IMAGE));
    for (uint64_t *own = gigabytes; own < tables_end; own++)
        if (*own >= CLUSTERS_AT && *own < CLUSTERS_AT + CLUSTER_BYTES)
            *(uint64_t *)port_there(cluster, own) += (uint64_t)cluster * CLUSTER_BYTES;
    for (char *p = there; p < there + (bss - (char *)IMAGE); p += 64)
        __asm__ volatile("dc cvau, %0" : : "r"(p));
    __asm__ volatile("dsb ish\n\tic ialluis\n\tdsb ish\n\tisb");
    port_start(cluster, 0);
}

/* On the core that runs first. */
static void start_clusters(void)
{
    const struct hal_machine *m = &port_board.machine;
    if (hal_machine_clusters(m) > CLUSTERS || m->compute_cores > CORES || m->io_cores > CORES ||
        m->compute_memory > WINDOW_MOST || m->io_memory > WINDOW_MOST ||
        m->shared_memory > BOARD_BYTES)
        hal_abort(1, "the machine is larger than this port has room for (layout.h)");
    for (int i = 1; i < hal_machine_clusters(m); i++)
        start_cluster(i);
}

_Noreturn void core_begin(int cluster, int core)
{
    memcpy(cores + core * CORE_BYTES + 16, storage, (size_t)(storage_end - storage));
    if (cluster == 0 && core == 0)
        start_clusters();
    hal_here_core = core;
    if (core == 0)
        cluster_here = cluster;
    port_event_begin();
    if (core == 0)
        port_main();
    port_core_run(core);
}

_Noreturn void core_fault(uint64_t why, uint64_t at, uint64_t address)
{
    char text[100];
    if (port_is_guard(address))
        hal_abort(139, "stack overflow");
    b_fmt(text, sizeof text, "fault 0x%lx at 0x%lx, address 0x%lx", (unsigned long)why,
          (unsigned long)at, (unsigned long)address);
    hal_abort(139, text);
}
