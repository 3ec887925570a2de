/* SPDX-License-Identifier: MIT */
/* How deep the ranks' stacks were, on machines in virtual time. A stack is charged at the machine's
 * size, and may grow until it alone is as large as the memory of a cluster; so each is looked at
 * when its rank ends, and the end of the job says if all together would not have fit. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <kernel/cluster.h>
#include <kernel/mem.h>
#include <process/image.h>

#include "budget.h"

#define OWN                                                                                        \
    (64 << 10) /* so much a rank touches without calling deep: what lies below main, the
                          library's and the C library's frames on this computer */

/* By cluster: what its ranks have touched beyond that. The fullest, and its deepest rank. */
static size_t deeper[HAL_CLUSTERS_MAX];
static struct {
    size_t over, depth;
    int cluster, rank;
} lack;

static uintptr_t first_page(const struct kern_thread *t)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    return ((uintptr_t)t->stack + page - 1) / page * page;
}

/* The stack may be that of a rank that has ended: nothing of it below here counts. */
void image_stack_begin(void)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = first_page(kern_current());
    uintptr_t here = (uintptr_t)__builtin_frame_address(0) / page * page - page;
    if (here > from)
        madvise((void *)from, here - from, MADV_DONTNEED);
}

/* Bytes of the stack that have memory. */
static size_t touched(const struct kern_thread *t)
{
    unsigned char there[256];
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = 0, n;
    uintptr_t end = (uintptr_t)t->stack + t->stack_size;
    for (uintptr_t at = first_page(t); at + page <= end; at += n * page) {
        n = (end - at) / page < sizeof there ? (end - at) / page : sizeof there;
        if (mincore((void *)at, n * page, there) != 0)
            break;
        for (size_t i = 0; i < n; i++)
            pages += there[i] & 1;
    }
    return pages * page;
}

void image_stack_end(int rank)
{
    struct cluster *c = kern_cluster();
    size_t depth = touched(kern_current()), used, high, limit;
    if (depth <= OWN || image.memory == IMAGE_MEMORY_NO)
        return;
    deeper[c->id] += image_pages(depth - OWN);
    if (image.memory == IMAGE_MEMORY_REPORT)
        kern_page_charge(c, KERN_CHARGE_STACKS, depth - OWN);
    kern_memory(c, &used, &high, &limit);
    if (high + deeper[c->id] > limit && high + deeper[c->id] - limit > lack.over) {
        lack.over = high + deeper[c->id] - limit;
        lack.cluster = c->id;
    }
    if (depth > lack.depth) {
        lack.depth = depth;
        lack.rank = rank;
    }
}

int image_stack_report(char *text, size_t size)
{
    if (lack.over == 0 || image.memory != IMAGE_MEMORY_ENFORCE)
        return 0;
    return snprintf(text, size,
                    "lwmpi: memory: the stacks do not fit: the deepest is rank %d's with %zu KB; "
                    "with all that were touched cluster %d needs %zu KB more than it has\n",
                    lack.rank, lack.depth / 1024, lack.cluster, (lack.over + 1023) / 1024);
}
