/* SPDX-License-Identifier: MIT */
/* The cage of a cluster, from below: the image, a page of each core, stacks, and at its top the
 * window. Stacks are taken first-fit by pages, each with one page more below as its guard. */
#include "riscv.h"

#include <base/error.h>
#include <base/mem.h>
#include <hal/lock.h>
#include <hal/mem.h>

#define PAGES_MAX (RV_CAGE_BYTES / RV_PAGE)

static struct {
    struct hal_lock lock;
    bool taken[PAGES_MAX];
} stacks;

void hal_mem_window(void **base, size_t *size)
{
    *size = hal_machine_memory(hal_machine(), rv_cluster);
    *base = (void *)((rv_cage(rv_cluster + 1) - *size) & ~(uintptr_t)(RV_PAGE - 1));
}

void hal_mem_copy(void *dst, const void *src, size_t n)
{
    memcpy(dst, src, n);
}

static uintptr_t area(size_t *pages)
{
    void *window;
    size_t size;
    hal_mem_window(&window, &size);
    uintptr_t from = rv_core_page(hal_machine_cores(hal_machine(), rv_cluster));
    *pages = ((uintptr_t)window - from) / RV_PAGE;
    return from;
}

static void mark(size_t first, size_t n, bool taken)
{
    for (size_t i = 0; i < n; i++) {
        stacks.taken[first + i] = taken;
    }
}

/* The first of n free pages in a row, or `pages`. */
static size_t find(size_t n, size_t pages)
{
    size_t run = 0;
    for (size_t i = 0; i < pages; i++) {
        run = stacks.taken[i] ? 0 : run + 1;
        if (run == n) {
            return i + 1 - n;
        }
    }
    return pages;
}

int hal_stack_alloc(size_t size, void **base, size_t *got)
{
    size_t pages, bytes = size == 0 ? RV_CORE_STACK : size;
    uintptr_t from = area(&pages);
    if (bytes > RV_CAGE_BYTES) {
        return -B_ENOMEM;
    }
    size_t n = (bytes + RV_PAGE - 1) / RV_PAGE + 1;
    hal_lock(&stacks.lock);
    size_t first = find(n, pages);
    if (first < pages) {
        mark(first, n, true);
    }
    hal_unlock(&stacks.lock);
    *base = (void *)(from + (first + 1) * RV_PAGE);
    *got = (n - 1) * RV_PAGE;
    return first < pages ? 0 : -B_ENOMEM;
}

void hal_stack_free(void *base, size_t got)
{
    size_t pages;
    uintptr_t from = area(&pages);
    hal_lock(&stacks.lock);
    mark(((uintptr_t)base - from) / RV_PAGE - 1, got / RV_PAGE + 1, false);
    hal_unlock(&stacks.lock);
}
