/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "chunks.h"
#include "filter.h"

#define COPY_CYCLES 1.28 /* modelled, of a byte: ho-2015, table IV */

static int chunk_side(const struct gf_plan *plan)
{
    return CHUNK_SIDE + plan->mask / 2 * 2;
}

size_t chunk_bytes(const struct gf_plan *plan)
{
    return (size_t)chunk_side(plan) * (size_t)chunk_side(plan);
}

/* The square in column x, row y of squares; left and right of the image its border is repeated. */
static void cut(const struct server *s, int x, int y, unsigned char *to)
{
    int side = chunk_side(&s->plan), width = s->plan.width;
    int first = x * CHUNK_SIDE - s->plan.mask / 2;
    int from = first < 0 ? 0 : first, end = first + side > width ? width : first + side;

    for (int line = 0; line < side; line++, to += side) {
        const unsigned char *row = s->lines + (size_t)(y * CHUNK_SIDE + line) * (size_t)width;
        memset(to, row[0], (size_t)(from - first));
        memcpy(to + (from - first), row + from, (size_t)(end - from));
        memset(to + (end - first), row[width - 1], (size_t)(first + side - end));
    }
}

static void paste(const struct server *s, int x, int y, const unsigned char *from)
{
    size_t width = (size_t)s->plan.width;
    unsigned char *to = s->rows + (size_t)y * CHUNK_SIDE * width + (size_t)x * CHUNK_SIDE;

    for (int line = 0; line < CHUNK_SIDE; line++)
        memcpy(to + (size_t)line * width, from + line * CHUNK_SIDE, CHUNK_SIDE);
}

static void fetch(struct team *t, struct server *s, int chunk, unsigned char *buffer)
{
    int across = s->plan.width / CHUNK_SIDE;

    team_recv(t, t->member[chunk % t->crew], buffer, CHUNK_SIDE * CHUNK_SIDE);
    paste(s, chunk % across, chunk / across, buffer);
    team_work(t, CHUNK_SIDE * CHUNK_SIDE * COPY_CYCLES);
}

void chunks_deal(struct team *t, struct server *s)
{
    int across = s->plan.width / CHUNK_SIDE, chunks = across * across, back = 0;
    size_t n = chunk_bytes(&s->plan);
    unsigned char *buffer = team_alloc(t, n, "a chunk");

    for (int chunk = 0; chunk < chunks; chunk++) {
        if (chunk >= t->crew)
            fetch(t, s, back++, buffer);
        cut(s, chunk % across, chunk / across, buffer);
        team_work(t, (double)n * COPY_CYCLES);
        gf_give(t, &s->plan, t->member[chunk % t->crew], buffer, n);
    }
    while (back < chunks)
        fetch(t, s, back++, buffer);
    team_free(t, buffer, n);
}

void chunk_compute(const struct team *t, struct server *s)
{
    double multiply_adds = (double)CHUNK_SIDE * CHUNK_SIDE * s->plan.mask * s->plan.mask;

    filter_square(s->lines, s->rows, CHUNK_SIDE, s->mask, s->plan.mask);
    team_work(t, multiply_adds * s->plan.cycles);
}
