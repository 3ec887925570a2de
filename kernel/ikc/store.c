/* SPDX-License-Identifier: MIT */
/* Bounded buffers. Every port is owed `share` buffers at any time, whether it is open or not, so a
 * flooded port can use what is left but never what another one is owed. */
#include "ikc/internal.h"

static size_t stride(size_t data)
{
    size_t n = sizeof(struct kern_letter) + data;
    return (n + 7) & ~(size_t)7;
}

/* At least one for each port. */
static uint32_t count(uint32_t buffers, uint32_t ports)
{
    return buffers < ports ? ports : buffers;
}

size_t kern_store_bytes(uint32_t buffers, uint32_t ports, size_t data)
{
    return count(buffers, ports) * stride(data);
}

void kern_store_init(struct kern_store *s, void *memory, uint32_t buffers, uint32_t ports,
                     size_t data)
{
    uint32_t n = count(buffers, ports);
    for (uint32_t i = 0; i < n; i++) {
        struct kern_letter *l = (struct kern_letter *)((char *)memory + i * stride(data));
        b_queue_append(&s->free, &l->node);
    }
    s->available = n;
    s->share = n < 2 * ports ? 1 : n / (2 * ports);
    s->owed = s->share * ports;
}

bool kern_store_can_take(const struct kern_store *s, uint16_t used)
{
    return used < s->share || s->available > s->owed;
}

bool kern_store_take(struct kern_store *s, uint16_t *used)
{
    if (!kern_store_can_take(s, *used))
        return false;
    if (*used < s->share)
        s->owed--;
    s->available--;
    (*used)++;
    return true;
}

void kern_store_give(struct kern_store *s, uint16_t *used)
{
    (*used)--;
    s->available++;
    if (*used < s->share)
        s->owed++;
}
