/* SPDX-License-Identifier: MIT */
#include <base/pool.h>

void b_pool_init(struct b_pool *p, void *memory, size_t size, uint32_t objects)
{
    *p = (struct b_pool){.memory = memory, .size = (uint32_t)size, .objects = objects};
    /* Linked backwards, so that objects are handed out from the lowest address up. */
    for (uint32_t i = objects; i-- > 0;) {
        void **object = b_pool_at(p, i);
        *object = p->free;
        p->free = object;
    }
}

void *b_pool_alloc(struct b_pool *p)
{
    void **object = p->free;
    if (object == NULL) {
        return NULL;
    }
    p->free = *object;
    p->used++;
    if (p->used > p->high) {
        p->high = p->used;
    }
    return object;
}

void b_pool_free(struct b_pool *p, void *object)
{
    *(void **)object = p->free;
    p->free = object;
    p->used--;
}

bool b_pool_owns(const struct b_pool *p, const void *object)
{
    uintptr_t offset = (uintptr_t)object - (uintptr_t)p->memory;
    return offset < (uintptr_t)p->size * p->objects && offset % p->size == 0;
}
