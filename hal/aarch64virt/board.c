/* SPDX-License-Identifier: MIT */
/* Memory that all clusters share lies below theirs; each can read that of all. */
#include <hal/board.h>

#include <base/error.h>
#include <base/mem.h>
#include <hal/core.h>

#include "port.h"

void *hal_board(size_t *bytes)
{
    *bytes = port_board.machine.shared_memory;
    return *bytes == 0 ? NULL : (void *)BOARD;
}

static int check(int to)
{
    if (port_board.machine.shared_memory == 0)
        return -B_ENOSYS;
    return to < 0 || to >= hal_machine_clusters(hal_machine()) ? -B_EHOSTUNREACH : 0;
}

int hal_board_wake(int to, int core)
{
    int rc = check(to);
    if (rc == 0 && (core < 0 || core >= hal_machine_cores(hal_machine(), to)))
        rc = -B_EHOSTUNREACH;
    if (rc == 0)
        port_event_raise(to, core);
    return rc;
}

int hal_board_read(int from, uintptr_t address, void *to, size_t n)
{
    int rc = check(from);
    if (rc == 0 && (address < IMAGE || address > PAGES_END || n > PAGES_END - address))
        rc = -B_EFAULT;
    if (rc == 0)
        memcpy(to, port_there(from, (const void *)address), n);
    return rc;
}

int hal_board_tell(int to)
{
    int rc = check(to);
    if (rc == 0)
        port_event_network(to);
    return rc;
}

int hal_board_urge(int to)
{
    return hal_board_tell(to);
}
