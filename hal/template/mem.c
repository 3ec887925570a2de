/* SPDX-License-Identifier: MIT */
/* To write: the window from the linker script (what image and boot stacks leave of the cluster's
 * memory), zeroed at boot; stacks carved from its top, with a guard page where there is an MMU
 * or PMP. The copy stays as it is, or becomes the work of a DMA engine. */
#include <hal/mem.h>

#include <base/error.h>
#include <base/mem.h>

#include "missing.h"

void hal_mem_window(void **base, size_t *size)
{
    MISSING();
    *base = NULL;
    *size = 0;
}

void hal_mem_copy_pieces(const struct b_piece *pieces, int n)
{
    b_copy_pieces(pieces, n);
}

int hal_stack_alloc(size_t size, void **base, size_t *got)
{
    MISSING();
    (void)size;
    (void)base;
    (void)got;
    return -B_ENOSYS;
}

void hal_stack_free(void *base, size_t got)
{
    MISSING();
    (void)base;
    (void)got;
}

bool hal_stack_beside(void)
{
    MISSING();
    return true;
}
