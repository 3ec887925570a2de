/* SPDX-License-Identifier: MIT */
#include <base/assert.h>

#include "shared/slab.h"

/* Cells that were given back, by number, beginning with the newest; link i is that of cell i + 1.
 * The links lie here and not in the cells, so that to give a few cells back moves one line. */
struct mpu_slab_list {
    _Alignas(KERN_LINE) _Atomic(uint32_t) first; /* 0: none */
    _Atomic(uint32_t) wanted;                    /* the owner wants to be told of the next one */
    _Atomic(uint32_t) told;                      /* how often it was */
    _Atomic(uint32_t) link[];
};

static uint32_t payload_of(int size)
{
    return (uint32_t)MPU_SLAB_PAYLOAD_0 << (2 * size);
}

int mpu_slab_size_for(uint32_t n, enum mpu_slab_use use)
{
    int size = use == MPU_SLAB_PIECE ? MPU_SLAB_PIECES : 0;
    while (size < MPU_SLAB_SIZES && payload_of(size) < n)
        size++;
    return size;
}

/* Of what is not for pieces half is for the largest size of messages, half of what is left then for
 * the next one ...; the smallest two have alike. */
struct mpu_slab_shape mpu_slab_shape(size_t bytes, uint32_t pieces)
{
    struct mpu_slab_shape shape = {.piece = MPU_CELL_MAX};
    uint32_t at = 0, part = (uint32_t)(bytes - pieces) >> (MPU_SLAB_SIZES - 1);
    while (shape.piece > bytes / 32) /* so that there are several: one is written, one read */
        shape.piece /= 4;
    for (int i = 0; i <= MPU_SLAB_PIECES; i++) {
        struct mpu_slab_size *s = &shape.size[i];
        uint32_t payload = i < MPU_SLAB_PIECES ? payload_of(i) : shape.piece;
        uint32_t spare = sizeof(struct mpu_slab_list) + KERN_LINE;
        if (i == MPU_SLAB_PIECES)
            part = pieces;
        s->bytes = (uint32_t)(sizeof(struct mpu_slab_cell) + payload);
        s->count = part > spare ? (part - spare) / (s->bytes + (uint32_t)sizeof(uint32_t)) : 0;
        s->links = at;
        s->cells =
            at + (uint32_t)mpu_lines(sizeof(struct mpu_slab_list) + s->count * sizeof(uint32_t));
        at = s->count ? s->cells + s->count * s->bytes : at;
        if (i < MPU_SLAB_PIECES && s->count)
            shape.payload = payload;
        part <<= i > 0;
    }
    return shape;
}

static struct mpu_slab_cell *cell_at(uint8_t *at, const struct mpu_slab_size *s, uint32_t number)
{
    b_assert(number > 0 && number <= s->count);
    return (struct mpu_slab_cell *)(at + s->cells + (size_t)(number - 1) * s->bytes);
}

/* The cell of that number, whose first n bytes will be written: their lines come meanwhile. */
static struct mpu_slab_cell *ask_for(struct mpu_slab *s, int i, uint32_t number, uint32_t n)
{
    struct mpu_slab_cell *cell = cell_at(s->at, &s->shape->size[i], number);
    for (uint32_t at = 0; at < n && n <= MPU_SLAB_AHEAD; at += KERN_LINE)
        __builtin_prefetch(cell->payload + at, 1);
    return cell;
}

struct mpu_slab_cell *mpu_slab_take(struct mpu_slab *s, uint32_t n, enum mpu_slab_use use)
{
    int i = mpu_slab_size_for(n, use);
    const struct mpu_slab_size *size = &s->shape->size[i];
    b_assert(n <= (use == MPU_SLAB_PIECE ? s->shape->piece : s->shape->payload));
    if (!size->count)
        return NULL;
    struct mpu_slab_list *list = (struct mpu_slab_list *)(s->at + size->links);
    uint32_t *free = &s->size[i].free, *cut = &s->size[i].cut, number = *free;
    if (!number)
        number = atomic_exchange_explicit(&list->first, 0, memory_order_acquire);
    if (number)
        *free = atomic_load_explicit(&list->link[number - 1], memory_order_relaxed);
    else if (*cut < size->count)
        number = ++*cut;
    return number ? ask_for(s, i, number, n) : NULL;
}

/* `told`, `wanted`, `first`, and who gives back the other way round, all sequentially consistent:
 * one of the two sees the other. Several ranks of the core may wait. The first that looks takes all
 * that came, and `first` is 0 again; the others see all the same that they were told, try again,
 * and want the next one. */
const _Atomic(uint32_t) *mpu_slab_want(struct mpu_slab *s, uint32_t *seen)
{
    b_assert(!s->size[MPU_SLAB_PIECES].free);
    struct mpu_slab_list *list =
        (struct mpu_slab_list *)(s->at + s->shape->size[MPU_SLAB_PIECES].links);
    *seen = atomic_load(&list->told);
    atomic_store(&list->wanted, 1);
    return atomic_load(&list->first) ? NULL : &list->told;
}

bool mpu_slab_wanted(const struct mpu_slab_shape *shape, uint8_t *at)
{
    const struct mpu_slab_list *list =
        (struct mpu_slab_list *)(at + shape->size[MPU_SLAB_PIECES].links);
    return atomic_load_explicit(&list->wanted, memory_order_relaxed);
}

const struct mpu_slab_size *mpu_slab_size_at(const struct mpu_slab_shape *shape, uint64_t offset)
{
    const struct mpu_slab_size *s = &shape->size[MPU_SLAB_PIECES];
    while (s > shape->size && (!s->count || offset < s->cells))
        s--;
    return s;
}

/* The link of a cell, and in *list and *number which one it is. */
static _Atomic(uint32_t) *link_of(const struct mpu_slab_shape *shape, uint8_t *at,
                                  const struct mpu_slab_cell *cell, struct mpu_slab_list **list,
                                  uint32_t *number)
{
    uint64_t offset = (uint64_t)((const uint8_t *)cell - at);
    const struct mpu_slab_size *s = mpu_slab_size_at(shape, offset);
    *list = (struct mpu_slab_list *)(at + s->links);
    *number = 1 + (uint32_t)(offset - s->cells) / s->bytes;
    b_assert((offset - s->cells) % s->bytes == 0 && *number <= s->count);
    return &(*list)->link[*number - 1];
}

void mpu_slab_passes(const struct mpu_slab_shape *shape, uint8_t *at,
                     const struct mpu_slab_cell *cell)
{
    struct mpu_slab_list *list;
    uint32_t number;
    (void)atomic_fetch_or(link_of(shape, at, cell, &list, &number), 0);
}

bool mpu_slab_gather(struct mpu_slab_chain *c, const struct mpu_slab_shape *shape, uint8_t *at,
                     const struct mpu_slab_cell *cell)
{
    struct mpu_slab_list *list;
    uint32_t number;
    _Atomic(uint32_t) *link = link_of(shape, at, cell, &list, &number);
    if (c->list && c->list != list)
        return false;
    if (c->list)
        atomic_store_explicit(link, c->first, memory_order_release);
    else
        *c = (struct mpu_slab_chain){.list = list, .end = link};
    c->first = number;
    return true;
}

bool mpu_slab_give_back(struct mpu_slab_chain *c)
{
    b_assert(c->list && c->first > 0);
    struct mpu_slab_list *list = c->list;
    uint32_t first = atomic_load_explicit(&list->first, memory_order_relaxed);
    do
        atomic_store_explicit(c->end, first, memory_order_release);
    while (!atomic_compare_exchange_weak(&list->first, &first, c->first));
    c->list = NULL;
    if (!atomic_load(&list->wanted) || !atomic_exchange(&list->wanted, 0))
        return false;
    atomic_fetch_add(&list->told, 1);
    return true;
}

uint32_t mpu_slab_room(const struct mpu_slab_shape *shape, uint64_t offset)
{
    const struct mpu_slab_size *s = mpu_slab_size_at(shape, offset);
    uint32_t in = (uint32_t)offset - s->cells; /* much, where it is below them */
    bool begins = in % s->bytes == 0 && in / s->bytes < s->count;
    return begins ? s->bytes - (uint32_t)sizeof(struct mpu_slab_cell) : 0;
}
