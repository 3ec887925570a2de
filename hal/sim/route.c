/* SPDX-License-Identifier: MIT */
/* Routes on the torus: dimension order, x before y. */
#include "noc.h"

#include <stdlib.h>

enum { X_UP, X_DOWN, Y_UP, Y_DOWN };

/* One dimension of the way: position *at of `size`, to `to`; `up` and `up + 1` are the two
 * directions. */
static uint32_t walk(uint32_t *at, uint32_t to, uint32_t size, uint32_t up, uint32_t base,
                     uint32_t stride, uint32_t *link)
{
    uint32_t upwards = (to + size - *at) % size, n = 0;
    bool is_up = upwards <= size / 2;
    while (*at != to) {
        link[n++] = 4 * (base + *at * stride) + (is_up ? up : up + 1);
        *at = (*at + (is_up ? 1 : size - 1)) % size;
    }
    return n;
}

uint32_t sim_route_links(const struct hal_noc *noc, uint32_t from, uint32_t to, uint32_t *link)
{
    uint32_t w = noc->torus_x, x = from % w, y = from / w;
    uint32_t n = walk(&x, to % w, w, X_UP, y * w, 1, link);
    return n + walk(&y, to / w, noc->torus_y, Y_UP, x, w, link + n);
}

struct sim_route *sim_route_create(const struct hal_noc *noc, uint32_t from, uint32_t to)
{
    size_t most = noc->torus_x / 2 + noc->torus_y / 2 + 2;
    struct sim_route *r = malloc(sizeof *r + most * sizeof r->stop[0]);
    if (!r)
        abort();
    r->hops = sim_route_links(noc, from, to, r->stop + 1);
    r->count = r->hops + 2;
    r->stop[0] = sim_noc_links(noc) + from;
    r->stop[r->count - 1] = sim_noc_links(noc) + sim_noc_nodes(noc) + to;
    return r;
}
