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

/* Whether a core can be told that something is on the board: 0 or an error. */
static int reach(int cluster, int core)
{
    const struct hal_machine *m = hal_machine();
    if (m->shared_memory == 0)
        return -B_ENOSYS;
    bool exists = cluster >= 0 && cluster < hal_machine_clusters(m) && core >= 0 &&
                  core < hal_machine_cores(m, cluster);
    return exists ? 0 : -B_EHOSTUNREACH;
}

/* Each hart is locked into its cluster. */
int hal_board_read(int from, uintptr_t address, void *to, size_t n)
{
    (void)from, (void)address, (void)to, (void)n;
    return -B_ENOSYS;
}

int hal_board_tell(int to)
{
    int error = reach(to, 0);
    if (error == 0)
        rv_raise_noc(to);
    return error;
}

int hal_board_urge(int to)
{
    return hal_board_tell(to);
}

int hal_board_wake(int to, int core)
{
    int error = reach(to, core);
    if (error == 0)
        rv_raise(rv_hart(to, core));
    return error;
}
