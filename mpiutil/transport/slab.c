/* SPDX-License-Identifier: MIT */
#include "transport/slab.h"

static uint64_t payload_of(int size)
{
    return (uint64_t)MPU_SLAB_PAYLOAD_0 << (2 * size);
}

static uint32_t cell_bytes(int size)
{
    return (uint32_t)(sizeof(struct mpu_slab_cell) + payload_of(size));
}

static uint32_t share_of(size_t bytes)
{
    size_t share = (bytes - sizeof(struct mpu_slab_shared)) / MPU_SLAB_SIZES;
    return (uint32_t)(share / KERN_LINE * KERN_LINE);
}

void mpu_slab_init(struct mpu_slab *s, void *memory, size_t bytes, uint32_t number)
{
    *s = (struct mpu_slab){.shared = memory, .number = number, .share = share_of(bytes)};
}

uint64_t mpu_slab_payload(size_t bytes)
{
    int size = MPU_SLAB_SIZES - 1;
    uint32_t share = bytes > sizeof(struct mpu_slab_shared) ? share_of(bytes) : 0;
    while (size >= 0 && cell_bytes(size) > share)
        size--;
    return size < 0 ? 0 : payload_of(size);
}

static struct mpu_slab_cell *cell_at(struct mpu_slab_shared *s, uint32_t offset)
{
    return (struct mpu_slab_cell *)((uint8_t *)s + offset);
}

/* A cell that never was one. */
static struct mpu_slab_cell *cut(struct mpu_slab *s, int size)
{
    uint32_t bytes = cell_bytes(size), at = s->size[size].cut;
    if (at + bytes > s->share)
        return NULL;
    s->size[size].cut = at + bytes;
    uint32_t first = (uint32_t)sizeof *s->shared + (uint32_t)size * s->share;
    struct mpu_slab_cell *cell = cell_at(s->shared, first + at);
    cell->slab = s->number;
    cell->size = (uint32_t)size;
    return cell;
}

struct mpu_slab_cell *mpu_slab_take(struct mpu_slab *s, uint64_t n)
{
    int size = 0;
    while (size < MPU_SLAB_SIZES && payload_of(size) < n)
        size++;
    if (size == MPU_SLAB_SIZES)
        return NULL;
    uint32_t free = s->size[size].free;
    if (!free)
        free = atomic_exchange_explicit(&s->shared->size[size].given_back, 0, memory_order_acquire);
    if (!free)
        return cut(s, size);
    struct mpu_slab_cell *cell = cell_at(s->shared, free);
    s->size[size].free = cell->next;
    return cell;
}

void mpu_slab_give_back(struct mpu_slab_shared *s, struct mpu_slab_cell *cell)
{
    _Atomic(uint32_t) *list = &s->size[cell->size].given_back;
    uint32_t offset = (uint32_t)((uint8_t *)cell - (uint8_t *)s);
    uint32_t top = atomic_load_explicit(list, memory_order_relaxed);
    do
        cell->next = top;
    while (!atomic_compare_exchange_weak_explicit(list, &top, offset, memory_order_release,
                                                  memory_order_relaxed));
}
