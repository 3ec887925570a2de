/* SPDX-License-Identifier: MIT */
#include <base/mem.h>

#include "protocol/protocol.h"
#include "protocol/index.h"

#define MORE 8  /* times as many */
#define MOST 64 /* the oldest of all is looked for in each */

/* Without memory for more of them they get longer. */
void mpu_index_grow(struct mpu_rank *r, struct mpu_index *x)
{
    struct mpu_index more = {.mask = MORE * x->mask + MORE - 1};
    if (more.mask >= MOST)
        return;
    size_t bytes = (more.mask + 1) * sizeof(struct mpu_arrival *);
    more.last = mpu_alloc(r, bytes);
    if (!more.last)
        return;
    memset(more.last, 0, bytes);
    for (uint32_t i = 0; i <= x->mask; i++)
        for (struct mpu_arrival *last = *mpu_index_ring(x, i); last;) {
            struct mpu_arrival *a = last->next;
            last->next = a->next;
            last = a == last ? NULL : last;
            mpu_index_put(NULL, &more, a, a->wire.marked);
        }
    if (x->mask)
        mpu_free(r, x->last);
    *x = more;
}
