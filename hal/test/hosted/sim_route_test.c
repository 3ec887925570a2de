/* SPDX-License-Identifier: MIT */
/* Routes on the torus: every pair of several tori, walked link by link. */
#include <stdlib.h>

#include <sim/noc.h>
#include <test/check.h>

static const struct {
    uint32_t x, y;
} tori[] = {{1, 1}, {2, 1}, {1, 5}, {5, 4}, {4, 4}, {3, 7}, {32, 32}};

static uint32_t distance(uint32_t a, uint32_t b, uint32_t size)
{
    uint32_t d = (b + size - a) % size;
    return d < size - d ? d : size - d;
}

/* The node that a link leads to. */
static uint32_t end_of(const struct hal_noc *noc, uint32_t link)
{
    uint32_t w = noc->torus_x, h = noc->torus_y, node = link / 4, x = node % w, y = node / w;
    switch (link % 4) {
    case 0:
        return y * w + (x + 1) % w;
    case 1:
        return y * w + (x + w - 1) % w;
    case 2:
        return (y + 1) % h * w + x;
    default:
        return (y + h - 1) % h * w + x;
    }
}

static void check_pair(const struct hal_noc *noc, uint32_t from, uint32_t to)
{
    struct sim_route *r = sim_route_create(noc, from, to);
    uint32_t w = noc->torus_x;
    CHECK_EQ(r->hops, distance(from % w, to % w, w) + distance(from / w, to / w, noc->torus_y));
    CHECK_EQ(r->count, r->hops + 2);
    CHECK_EQ(r->stop[0], sim_noc_links(noc) + from);
    CHECK_EQ(r->stop[r->count - 1], sim_noc_links(noc) + sim_noc_nodes(noc) + to);
    uint32_t at = from;
    bool along_y = false;
    for (uint32_t i = 1; i <= r->hops; i++) {
        uint32_t link = r->stop[i];
        CHECK_EQ(link / 4, at);
        CHECK(!along_y || link % 4 >= 2); /* never back to x after y */
        along_y = link % 4 >= 2;
        at = end_of(noc, link);
    }
    CHECK_EQ(at, to);
    free(r);
}

int main(void)
{
    for (size_t t = 0; t < sizeof tori / sizeof tori[0]; t++) {
        struct hal_noc noc = {.torus_x = tori[t].x, .torus_y = tori[t].y};
        uint32_t nodes = sim_noc_nodes(&noc);
        for (uint32_t from = 0; from < nodes; from++)
            for (uint32_t to = 0; to < nodes; to++)
                check_pair(&noc, from, to);
    }
    return 0;
}
