/* SPDX-License-Identifier: MIT */
/* To write: memory that all clusters reach, if there is any, and an interrupt to another cluster.
 * Without it nothing is missing: everything above has a way that needs messages only. */
#include <hal/board.h>

#include <base/error.h>

void *hal_board(size_t *bytes)
{
    *bytes = 0;
    return NULL;
}

int hal_board_wake(int to, int core)
{
    (void)to;
    (void)core;
    return -B_ENOSYS;
}

int hal_board_read(int from, uintptr_t address, void *to, size_t n)
{
    (void)from, (void)address, (void)to, (void)n;
    return -B_ENOSYS;
}

int hal_board_tell(int to)
{
    (void)to;
    return -B_ENOSYS;
}

int hal_board_urge(int to)
{
    (void)to;
    return -B_ENOSYS;
}
