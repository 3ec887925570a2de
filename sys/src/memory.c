/* SPDX-License-Identifier: MIT */
#include <sys/k_info.h>

#include <sys/k_call.h>
#include <sys/k_types.h>

int k_page_alloc(size_t n, void **p)
{
    return (int)k_call(K_NR_page_alloc, (long)n, (long)p, true, 0, 0);
}

int k_page_take(size_t n, void **p)
{
    return (int)k_call(K_NR_page_alloc, (long)n, (long)p, false, 0, 0);
}

int k_page_free(void *p, size_t n)
{
    return (int)k_call(K_NR_page_free, (long)p, (long)n, 0, 0, 0);
}

void k_memory(size_t *used, size_t *high, size_t *limit)
{
    k_call(K_NR_memory, (long)used, (long)high, (long)limit, 0, 0);
}
