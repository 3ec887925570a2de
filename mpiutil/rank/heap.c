/* SPDX-License-Identifier: MIT */
/* The heap of a rank: blocks of 32, 48, 64, 96, 128 ... 4096 bytes cut from pages, kept by class
 * when free; larger blocks are pages of their own. Used on the rank's thread only, so
 * there is no lock. */
#include <base/mem.h>

#include "rank/rank.h"

#define CHUNK  4096
#define HEADER 16

struct block {
    size_t bytes; /* of a block of its own, else 0 */
    unsigned int class;
    uint32_t spare;
};
_Static_assert(sizeof(struct block) == HEADER, "blocks are aligned to 16");

/* Even classes are powers of two, the odd ones half as much more. */
static size_t class_bytes(unsigned int class)
{
    return (size_t)(class % 2 ? 48 : 32) << (class / 2);
}

/* The smallest class of at least n bytes. */
static unsigned int class_for(size_t n)
{
    if (n <= 32)
        return 0;
    unsigned int log = 63 - (unsigned int)__builtin_clzll(n - 1);
    unsigned int upper = (n - 1) >> (log - 1) & 1; /* half of what lies between powers of two */
    return 2 * (log - 5) + 1 + upper;
}

static void *pages(struct mpu_heap *h, size_t n)
{
    void *p;
    if (k_page_alloc(n, &p))
        return NULL;
    uintptr_t first = (uintptr_t)p;
    if (h->low == 0 || first < h->low)
        h->low = first;
    if (first + n > h->high)
        h->high = first + n;
    return p;
}

static struct block *cut(struct mpu_heap *h, size_t bytes)
{
    if (h->left < bytes) {
        void *page = pages(h, CHUNK);
        if (!page)
            return NULL;
        h->chunk = page;
        h->left = CHUNK;
    }
    struct block *b = (struct block *)h->chunk;
    h->chunk += bytes;
    h->left -= bytes;
    return b;
}

static void *own_pages(struct mpu_heap *h, size_t n)
{
    struct block *b = n > SIZE_MAX - HEADER ? NULL : pages(h, n + HEADER);
    if (!b)
        return NULL;
    b->bytes = n + HEADER;
    return b + 1;
}

void *mpu_alloc(struct mpu_rank *r, size_t n)
{
    if (n > class_bytes(MPU_HEAP_CLASSES - 1) - HEADER)
        return own_pages(&r->heap, n);
    unsigned int class = class_for(n + HEADER);
    struct block *b = r->heap.free[class];
    if (b)
        r->heap.free[class] = *(void **)(b + 1);
    else
        b = cut(&r->heap, class_bytes(class));
    if (!b)
        return NULL;
    *b = (struct block){.class = class};
    return b + 1;
}

void mpu_free(struct mpu_rank *r, void *p)
{
    if (!p)
        return;
    struct block *b = (struct block *)p - 1;
    if (b->bytes) {
        k_page_free(b, b->bytes);
        return;
    }
    *(void **)p = r->heap.free[b->class];
    r->heap.free[b->class] = b;
}

bool mpu_may_read(const struct mpu_rank *r, const void *p, size_t n)
{
    uintptr_t first = (uintptr_t)p;
    return first >= r->heap.low && first < r->heap.high && r->heap.high - first >= n;
}
