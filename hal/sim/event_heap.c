/* SPDX-License-Identifier: MIT */
#include "event_heap.h"

#include <stdbool.h>
#include <stdlib.h>

static inline bool earlier(const struct sim_event *a, const struct sim_event *b)
{
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}

void sim_heap_push(struct sim_heap *h, struct sim_event e)
{
    if (h->count == h->capacity) {
        h->capacity = h->capacity == 0 ? 1024 : 2 * h->capacity;
        h->event = realloc(h->event, h->capacity * sizeof *h->event);
        if (!h->event)
            abort(); /* the host has no memory left for the simulator itself */
    }
    size_t i = h->count++;
    while (i > 0) {
        size_t up = (i - 1) / 4;
        if (!earlier(&e, &h->event[up]))
            break;
        h->event[i] = h->event[up];
        i = up;
    }
    h->event[i] = e;
}

/* Puts `e` where the root was taken away. */
static void sink(struct sim_heap *h, struct sim_event e)
{
    size_t i = 0;
    for (;;) {
        size_t first = 4 * i + 1, best = first;
        if (first >= h->count)
            break;
        size_t end = first + 4 < h->count ? first + 4 : h->count;
        for (size_t k = first + 1; k < end; k++)
            if (earlier(&h->event[k], &h->event[best]))
                best = k;
        if (!earlier(&h->event[best], &e))
            break;
        h->event[i] = h->event[best];
        i = best;
    }
    h->event[i] = e;
}

struct sim_event sim_heap_take(struct sim_heap *h)
{
    struct sim_event e = h->event[0];
    h->count--;
    if (h->count > 0)
        sink(h, h->event[h->count]);
    return e;
}

void sim_heap_clear(struct sim_heap *h)
{
    free(h->event);
    *h = (struct sim_heap){NULL, 0, 0};
}
