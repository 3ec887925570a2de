/* SPDX-License-Identifier: MIT */
/* The heap of a rank: blocks of 32, 48, 64, 80, 96 ... 4096 bytes cut from pages, kept by class
 * when free; larger blocks are pages of their own. Used on the rank's thread only, so
 * there is no lock. */
#include <base/assert.h>

#include "rank/rank.h"

#define CHUNK  4096
#define HEADER 16
_Static_assert(MPU_PAGES_FROM >= CHUNK, "what is so large has pages of its own");

struct block {
    _Alignas(HEADER) size_t bytes; /* of a block of its own, else 0 */
    unsigned int class;
    uint32_t spare;
};
_Static_assert(sizeof(struct block) == HEADER, "blocks are aligned to 16");

/* Three classes up to 64 bytes, then four between a power of two and the next. */
static size_t class_bytes(unsigned int class)
{
    unsigned int above = class - 3;
    return class < 3 ? 32 + 16 * class : (size_t)(16 * (above % 4 + 5)) << (above / 4);
}

/* The smallest class of at least n bytes. */
static unsigned int class_for(size_t n)
{
    if (n <= 64)
        return n <= 32 ? 0 : ((unsigned int)n - 17) / 16;
    unsigned int log = 63 - (unsigned int)__builtin_clzll(n - 1);
    return 3 + 4 * (log - 6) + ((n - 1) >> (log - 2) & 3);
}

static void *pages(struct mpu_heap *h, size_t n)
{
    void *p;
    if (k_page_take(n, &p))
        return NULL;
    uintptr_t first = (uintptr_t)p;
    if (first < h->low)
        h->low = first;
    if (first + n > h->high)
        h->high = first + n;
    return p;
}

static void put(struct mpu_heap *h, struct block *b)
{
    b_assert(b->class < MPU_HEAP_CLASSES && h->free[b->class] != b);
    *(void **)(b + 1) = h->free[b->class];
    h->free[b->class] = b;
}

/* n bytes become free blocks, the largest first. */
static void divide(struct mpu_heap *h, uint8_t *at, size_t n)
{
    for (unsigned int class = MPU_HEAP_CLASSES; class -- > 0;)
        while (n >= class_bytes(class)) {
            struct block *b = (struct block *)at;
            *b = (struct block){.class = class};
            put(h, b);
            at += class_bytes(class);
            n -= class_bytes(class);
        }
}

/* To where n bytes are to be cut next. Ranks mostly do the same: if equal blocks of theirs lay
 * equally in their pages, those of all ranks of a core would share a few sets of its cache. So each
 * begins a page somewhere else, and comes to what is before that at last. */
static bool turn_on(struct mpu_heap *h, size_t n)
{
    uint8_t *page = h->chunk + h->left - CHUNK;
    uint8_t *fresh = h->before < n ? pages(h, CHUNK) : NULL;
    if (h->before < n && !fresh)
        return false;
    divide(h, h->chunk, h->left);
    if (fresh) {
        divide(h, page, h->before);
        h->before = n + h->skip <= CHUNK ? h->skip : 0;
        h->chunk = fresh + h->before;
        h->left = (uint16_t)(CHUNK - h->before);
    } else {
        h->chunk = page;
        h->left = h->before;
        h->before = 0;
    }
    return true;
}

static void *cut(struct mpu_heap *h, size_t bytes)
{
    if (h->left < bytes && !turn_on(h, bytes))
        return NULL;
    b_assert(bytes % HEADER == 0 && h->left >= bytes);
    void *p = h->chunk;
    h->chunk += bytes;
    h->left = (uint16_t)(h->left - bytes);
    return p;
}

void mpu_heap_begin(struct mpu_heap *h, uint8_t *memory, int local)
{
    *h = (struct mpu_heap){.skip = (uint16_t)(local * KERN_LINE % CHUNK),
                           .chunk = memory,
                           .left = MPU_HEAP_FIRST,
                           .low = (uintptr_t)memory,
                           .high = (uintptr_t)memory + MPU_HEAP_FIRST};
}

void *mpu_keep(struct mpu_rank *r, size_t n)
{
    return n > CHUNK ? NULL : cut(&r->heap, (n + HEADER - 1) / HEADER * HEADER);
}

static void *own_pages(struct mpu_heap *h, size_t n)
{
    struct block *b = n > SIZE_MAX - HEADER ? NULL : pages(h, n + HEADER);
    if (!b)
        return NULL;
    *b = (struct block){.bytes = n + HEADER};
    return b + 1;
}

void *mpu_alloc(struct mpu_rank *r, size_t n)
{
    if (n > class_bytes(MPU_HEAP_CLASSES - 1) - HEADER)
        return own_pages(&r->heap, n);
    unsigned int class = class_for(n + HEADER);
    b_assert(class_bytes(class) >= n + HEADER);
    b_assert(class == 0 || class_bytes(class - 1) < n + HEADER);
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
        b_assert(b->class == 0);
        k_page_free(b, b->bytes);
        return;
    }
    put(&r->heap, b);
}

struct mpu_bounds mpu_bounds(const struct mpu_rank *r)
{
    return (struct mpu_bounds){r->heap.low, r->heap.high};
}
