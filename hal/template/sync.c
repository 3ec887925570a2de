/* SPDX-License-Identifier: MIT */
/* To write: a ring of sync_slots words per sender, head and tail on lines of their own. Where the
 * network has control words of its own, they are these. */
#include <hal/sync.h>

#include <base/error.h>

#include "missing.h"

int hal_sync_signal(int to, uint64_t word)
{
    MISSING();
    (void)to;
    (void)word;
    return -B_ENOSYS;
}

int hal_sync_peek(int *from, uint64_t *word)
{
    MISSING();
    (void)from;
    (void)word;
    return -B_ENOSYS;
}

int hal_sync_release(int from)
{
    MISSING();
    (void)from;
    return -B_ENOSYS;
}
