/* SPDX-License-Identifier: MIT */
#include <sys/k_info.h>

#include <sys/k_call.h>
#include <sys/k_types.h>

int k_page_alloc(size_t n, void **p)
{
    return (int)k_call(K_NR_page_alloc, (long)n, (long)p, 0, 0, 0);
}

int k_page_free(void *p, size_t n)
{
    return (int)k_call(K_NR_page_free, (long)p, (long)n, 0, 0, 0);
}

void k_memory(size_t *used, size_t *high, size_t *limit)
{
    k_call(K_NR_memory, (long)used, (long)high, (long)limit, 0, 0);
}

/* The answer goes through memory: an error code could not be told from a pointer. */
static void *pointer_get(enum k_pointer which)
{
    void *p = NULL;
    k_call(K_NR_local_pointer, which, (long)&p, 0, 0, 0);
    return p;
}

static void pointer_set(enum k_pointer which, void *p)
{
    k_call(K_NR_local_pointer, which, 0, (long)p, 0, 0);
}

void *k_thread_local(void)
{
    return pointer_get(K_POINTER_THREAD);
}

void k_thread_local_set(void *p)
{
    pointer_set(K_POINTER_THREAD, p);
}

void *k_cluster_local(void)
{
    return pointer_get(K_POINTER_CLUSTER);
}

void k_cluster_local_set(void *p)
{
    pointer_set(K_POINTER_CLUSTER, p);
}
