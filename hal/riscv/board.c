/* SPDX-License-Identifier: MIT */
/* The memory that all clusters share is a part of the network's. */
#include "riscv.h"

#include <base/error.h>
#include <hal/board.h>

void *hal_board(size_t *bytes)
{
    *bytes = hal_machine()->shared_memory;
    return *bytes > 0 ? rv_noc()->board : NULL;
}

static bool exists(int cluster, int core)
{
    const struct hal_machine *m = hal_machine();
    return cluster >= 0 && cluster < hal_machine_clusters(m) && core >= 0 &&
           core < hal_machine_cores(m, cluster);
}

/* Each hart is locked into its cluster. */
int hal_board_read(int from, uintptr_t address, void *to, size_t n)
{
    (void)from, (void)address, (void)to, (void)n;
    return -B_ENOSYS;
}

int hal_board_tell(int to)
{
    if (hal_machine()->shared_memory == 0) {
        return -B_ENOSYS;
    }
    if (!exists(to, 0)) {
        return -B_EHOSTUNREACH;
    }
    rv_raise_noc(to);
    return 0;
}

int hal_board_urge(int to)
{
    return hal_board_tell(to);
}

int hal_board_wake(int to, int core)
{
    if (hal_machine()->shared_memory == 0) {
        return -B_ENOSYS;
    }
    if (!exists(to, core)) {
        return -B_EHOSTUNREACH;
    }
    rv_raise(rv_hart(to, core));
    return 0;
}
