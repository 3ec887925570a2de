/* SPDX-License-Identifier: MIT */
/* The second two megabytes of the cluster, in pages: the window at the top, below it stacks, each
 * above a page that is not there. */
#include <hal/mem.h>

#include <base/error.h>
#include <base/mem.h>
#include <hal/core.h>
#include <hal/lock.h>

#include "port.h"

enum { PAGE = 4096, COUNT = (PAGES_END - PAGES) / PAGE, LEAST = 2 * PAGE };

extern uint64_t pages[]; /* boot/boot.S */

/* How many pages a stack has, its guard included: at that guard; 0: free, or within one. */
static struct hal_lock lock;
static uint16_t taken[COUNT];

static size_t window_bytes(void)
{
    return (size_t)hal_machine_memory(hal_machine(), hal_cluster());
}

void hal_mem_window(void **base, size_t *size)
{
    *size = window_bytes();
    *base = (char *)(uintptr_t)PAGES_END - (*size + PAGE - 1) / PAGE * PAGE;
}

void hal_mem_copy_pieces(const struct b_piece *pieces, int n)
{
    b_copy_pieces(pieces, n);
}

/* The first of n free pages below the window, or -1. */
static int find(size_t n)
{
    size_t end = COUNT - (window_bytes() + PAGE - 1) / PAGE, first = 0;
    for (size_t at = 0; at < end;) {
        if (taken[at] != 0) {
            at += taken[at];
            first = at;
        } else if (++at - first == n) {
            return (int)first;
        }
    }
    return -1;
}

static void set_page(size_t at, bool there)
{
    uint64_t *entry = &pages[at];
    uint64_t address =
        CLUSTERS_AT + (uint64_t)hal_cluster() * CLUSTER_BYTES + (PAGES - IMAGE) + at * PAGE;
    *(volatile uint64_t *)entry = there ? address + AS_PAGE : 0;
    __asm__ volatile("dsb ish\n\ttlbi vmalle1is\n\tdsb ish\n\tisb" : : : "memory");
}

int hal_stack_alloc(size_t size, void **base, size_t *got)
{
    if (size > PAGES_END - PAGES)
        return -B_ENOMEM;
    size_t n = (size == 0 ? LEAST : size + PAGE - 1) / PAGE + 1;
    hal_lock(&lock);
    int at = find(n);
    if (at >= 0) {
        taken[at] = (uint16_t)n;
        set_page((size_t)at, false);
    }
    hal_unlock(&lock);
    if (at < 0)
        return -B_ENOMEM;
    *base = (char *)(uintptr_t)PAGES + ((size_t)at + 1) * PAGE;
    *got = (n - 1) * PAGE;
    return 0;
}

void hal_stack_free(void *base, size_t got)
{
    (void)got;
    size_t at = ((uintptr_t)base - PAGES) / PAGE - 1;
    hal_lock(&lock);
    set_page(at, true);
    taken[at] = 0;
    hal_unlock(&lock);
}

bool hal_stack_beside(void)
{
    return true;
}

bool port_is_guard(uint64_t address)
{
    return address >= PAGES && address < PAGES_END && pages[(address - PAGES) / PAGE] == 0;
}
