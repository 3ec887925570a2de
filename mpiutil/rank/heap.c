/* SPDX-License-Identifier: MIT */
/* The heap of a rank: blocks of 32 << class bytes cut from pages, kept by class when free;
 * larger blocks are pages of their own. Used on the rank's thread only, so there is no lock. */
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

static size_t class_bytes(unsigned int class)
{
    return (size_t)32 << class;
}

static struct block *cut(struct mpu_heap *h, size_t bytes)
{
    if (h->left < bytes) {
        void *page;
        if (k_page_alloc(CHUNK, &page))
            return NULL;
        h->chunk = page;
        h->left = CHUNK;
    }
    struct block *b = (struct block *)h->chunk;
    h->chunk += bytes;
    h->left -= bytes;
    return b;
}

static void *own_pages(size_t n)
{
    void *p;
    if (n > SIZE_MAX - HEADER || k_page_alloc(n + HEADER, &p))
        return NULL;
    struct block *b = p;
    b->bytes = n + HEADER;
    return b + 1;
}

void *mpu_alloc(struct mpu_rank *r, size_t n)
{
    unsigned int class = 0;
    if (n > class_bytes(MPU_HEAP_CLASSES - 1) - HEADER)
        return own_pages(n);
    while (class_bytes(class) - HEADER < n)
        class ++;
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
