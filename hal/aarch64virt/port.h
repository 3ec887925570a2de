/* SPDX-License-Identifier: MIT */
/* What the files of this port share. */
#ifndef HAL_AARCH64VIRT_PORT_H
#define HAL_AARCH64VIRT_PORT_H

#include <stddef.h>
#include <stdint.h>

#include <base/config.h>
#include <hal/virt.h>

#include "layout.h"

extern const struct hal_virt port_board; /* boot/image.ld */

/* What stands in the memory of another cluster where this one has *of. */
static inline void *port_there(int cluster, const void *of)
{
    return (char *)(uintptr_t)(CLUSTERS_AT + (uintptr_t)cluster * CLUSTER_BYTES) +
           ((uintptr_t)of - IMAGE);
}

/* In what a core may do without end while it waits for others, `times` counting how often: where
 * cores take turns, as in QEMU, one that never sleeps has its turn for very long otherwise. */
static inline void port_turn(unsigned *times)
{
    enum { TIMES = 64 };
    if (++*times % TIMES == 0)
        __asm__ volatile("yield");
}

/* Starts a core of any cluster (start.c). */
void port_start(int cluster, int core);

/* The number of a core among all of the machine. */
int port_number(int cluster, int core);

/* Before a core's first wait; an event for one of a cluster's cores, or its network's (event.c). */
void port_event_begin(void);
void port_event_raise(int cluster, int core);
void port_event_network(int cluster);

/* So many cores more, or fewer, may do something; at none of them the machine ends (event.c). */
void port_awake(int more);

/* The calling core stops for good (power.c). */
_Noreturn void port_stop(void);

/* Ends the machine with a report of all clusters; a core that wakes up: its part (report.c). */
_Noreturn void port_report_deadlock(void);
void port_report_look(void);

/* The page below a stack (mem.c). */
bool port_is_guard(uint64_t address);

/* The rest of a core that hal_core_start starts (core.c). */
_Noreturn void port_core_run(int core);

#endif
