/* SPDX-License-Identifier: MIT */
/* Events in the order of their cycles, and within a cycle of their numbers: a 4-ary heap. */
#ifndef SIM_EVENT_HEAP_H
#define SIM_EVENT_HEAP_H

#include <stddef.h>
#include <stdint.h>

#include <hal/clock.h>

struct sim_event {
    uint64_t at, order;
    void (*fire)(void *arg);
    void *arg;
};

struct sim_heap {
    struct sim_event *event;
    size_t count, capacity;
};

void sim_heap_push(struct sim_heap *h, struct sim_event e);
/* Takes the first event; there is one. */
struct sim_event sim_heap_take(struct sim_heap *h);
void sim_heap_clear(struct sim_heap *h);

/* The cycle of the first event; HAL_NEVER: there is none. */
static inline uint64_t sim_heap_first(const struct sim_heap *h)
{
    return h->count > 0 ? h->event[0].at : HAL_NEVER;
}

#endif
