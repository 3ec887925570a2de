/* SPDX-License-Identifier: MIT */
/* A pool of equal objects in memory of the caller's. No locks; nothing waits; constant time. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct b_pool {
    char *memory;
    void *free;    /* free objects, linked through their first word */
    uint32_t size; /* bytes of an object */
    uint32_t objects;
    uint32_t used;
    uint32_t high; /* highest `used` so far */
};

/* `memory` holds `objects` objects of `size` bytes, is aligned for them, and must outlive the pool;
 * size is a multiple of sizeof(void *), not 0. */
void b_pool_init(struct b_pool *p, void *memory, size_t size, uint32_t objects);

/* An object with undefined content; NULL when all are used. */
void *b_pool_alloc(struct b_pool *p);

/* Gives back an object of this pool that is in use. */
void b_pool_free(struct b_pool *p, void *object);

/* True if `object` is the address of an object of the pool, in use or not. */
bool b_pool_owns(const struct b_pool *p, const void *object);

/* Number of an object of the pool, 0 .. objects-1, and back. */
static inline uint32_t b_pool_index(const struct b_pool *p, const void *object)
{
    return (uint32_t)((size_t)((const char *)object - p->memory) / p->size);
}

static inline void *b_pool_at(const struct b_pool *p, uint32_t index)
{
    return p->memory + (size_t)index * p->size;
}

#endif
