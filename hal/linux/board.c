/* SPDX-License-Identifier: MIT */
/* The board: a region of the mapping. */
#include <hal/board.h>

#include <base/error.h>

#include "port.h"
#include "reach.h"

void *hal_board(size_t *bytes)
{
    *bytes = lx.job->machine.shared_memory;
    return *bytes != 0 ? (char *)lx.job + lx.job->board_at : NULL;
}

int hal_board_wake(int to, int core)
{
    if (to < 0 || to >= lx.clusters || core < 0 || core >= hal_machine_cores(&lx.job->machine, to))
        return -B_EHOSTUNREACH;
    if (lx.job->machine.shared_memory == 0)
        return -B_ENOSYS;
    lx_event_raise(&lx_cluster(lx.job, to)->core[core].event);
    return 0;
}

int hal_board_read(int from, uintptr_t address, void *to, size_t n)
{
    if (from < 0 || from >= lx.clusters)
        return -B_EHOSTUNREACH;
    if (lx.job->machine.shared_memory == 0)
        return -B_ENOSYS;
    return lx_reach(from, address, to, n, LX_GET);
}

static int tell(int to, void (*how)(struct lx_header *h, int to))
{
    if (to < 0 || to >= lx.clusters)
        return -B_EHOSTUNREACH;
    if (lx.job->machine.shared_memory == 0)
        return -B_ENOSYS;
    how(lx.job, to);
    return 0;
}

int hal_board_tell(int to)
{
    return tell(to, lx_event_news);
}

int hal_board_urge(int to)
{
    return tell(to, lx_attend);
}
