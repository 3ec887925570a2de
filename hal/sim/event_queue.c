/* SPDX-License-Identifier: MIT */
/* The event queue: a 4-ary heap ordered by cycle, then by sequence. With a seed the sequence
 * numbers are scrambled, so events of one cycle come in another order that is repeatable all the
 * same.
 *
 * Without a seed, what is queued for the cycle that is running goes to a ring beside the heap: it
 * comes after everything that the heap has for this cycle, because that was queued in earlier
 * cycles; only what is wanted at the end of the cycle comes later still. */
#include "sim.h"

#include <hal/core.h>

#include <stdlib.h>

struct event {
    uint64_t at, order;
    void (*fire)(void *arg);
    void *arg;
};

static struct event *heap;
static size_t count, capacity;
static struct event *ring;
static size_t ring_size, ring_head, ring_count; /* size: a power of two, or 0 */
static uint64_t sequence;

/* A bijection, so that two events never get the same number (finaliser of splitmix64). */
static uint64_t scramble(uint64_t n)
{
    if (sim.seed == 0) {
        return n;
    }
    n = (n ^ sim.seed) * 0x9E3779B97F4A7C15u;
    n = (n ^ n >> 30) * 0xBF58476D1CE4E5B9u;
    n = (n ^ n >> 27) * 0x94D049BB133111EBu;
    return n ^ n >> 31;
}

static inline bool earlier(const struct event *a, const struct event *b)
{
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}

static void push(struct event e)
{
    if (count == capacity) {
        capacity = capacity == 0 ? 1024 : 2 * capacity;
        heap = realloc(heap, capacity * sizeof *heap);
        if (heap == NULL) {
            abort(); /* the host has no memory left for the simulator itself */
        }
    }
    size_t i = count++;
    while (i > 0) {
        size_t up = (i - 1) / 4;
        if (!earlier(&e, &heap[up])) {
            break;
        }
        heap[i] = heap[up];
        i = up;
    }
    heap[i] = e;
}

static void ring_grow(void)
{
    size_t size = ring_size == 0 ? 256 : 2 * ring_size;
    struct event *larger = malloc(size * sizeof *larger);
    if (larger == NULL) {
        abort();
    }
    for (size_t i = 0; i < ring_count; i++) {
        larger[i] = ring[(ring_head + i) & (ring_size - 1)];
    }
    free(ring);
    ring = larger;
    ring_size = size;
    ring_head = 0;
}

void sim_at(uint64_t at, void (*fire)(void *arg), void *arg)
{
    if (at == sim.now && sim.seed == 0) {
        if (ring_count == ring_size) {
            ring_grow();
        }
        ring[(ring_head + ring_count++) & (ring_size - 1)] = (struct event){at, 0, fire, arg};
        return;
    }
    push((struct event){at, scramble(sequence++), fire, arg});
}

void sim_at_end_of(uint64_t at, void (*fire)(void *arg), void *arg)
{
    push((struct event){at, SIM_END_OF_CYCLE, fire, arg});
}

bool sim_event_before(uint64_t cycle)
{
    return ring_count > 0 || (count > 0 && heap[0].at <= cycle);
}

/* Puts `e` where the root was taken away. */
static void sink(struct event e)
{
    size_t i = 0;
    for (;;) {
        size_t first = 4 * i + 1, best = first;
        if (first >= count) {
            break;
        }
        size_t end = first + 4 < count ? first + 4 : count;
        for (size_t k = first + 1; k < end; k++) {
            if (earlier(&heap[k], &heap[best])) {
                best = k;
            }
        }
        if (!earlier(&heap[best], &e)) {
            break;
        }
        heap[i] = heap[best];
        i = best;
    }
    heap[i] = e;
}

static struct event take(void)
{
    bool heap_first = ring_count == 0 ||
                      (count > 0 && heap[0].at == sim.now && heap[0].order != SIM_END_OF_CYCLE);
    if (!heap_first) {
        struct event e = ring[ring_head];
        ring_head = (ring_head + 1) & (ring_size - 1);
        ring_count--;
        return e;
    }
    struct event e = heap[0];
    count--;
    if (count > 0) {
        sink(heap[count]);
    }
    return e;
}

bool sim_event_next(void (**fire)(void *arg), void **arg)
{
    if (count == 0 && ring_count == 0) {
        return false;
    }
    struct event e = take();
    sim.now = hal_here_clock = e.at;
    sim.events++;
    *fire = e.fire;
    *arg = e.arg;
    return true;
}

void sim_events_clear(void)
{
    free(heap);
    free(ring);
    heap = ring = NULL;
    count = capacity = ring_size = ring_head = ring_count = 0;
    sequence = 0;
}
