/* SPDX-License-Identifier: MIT */
/* The event queue: a 4-ary heap ordered by cycle, then by sequence. With a seed the sequence
 * numbers are scrambled, so events of one cycle come in another order that is repeatable all the
 * same. */
#include "sim.h"

#include <stdlib.h>

struct event {
    uint64_t at, order;
    void (*fire)(void *arg);
    void *arg;
};

static struct event *heap;
static size_t count, capacity;
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

void sim_at(uint64_t at, void (*fire)(void *arg), void *arg)
{
    push((struct event){at, scramble(sequence++), fire, arg});
}

void sim_at_end_of(uint64_t at, void (*fire)(void *arg), void *arg)
{
    push((struct event){at, SIM_END_OF_CYCLE, fire, arg});
}

bool sim_event_before(uint64_t cycle)
{
    return count > 0 && heap[0].at <= cycle;
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

bool sim_event_next(void (**fire)(void *arg), void **arg)
{
    if (count == 0) {
        return false;
    }
    struct event e = heap[0];
    count--;
    if (count > 0) {
        sink(heap[count]);
    }
    sim.polls = e.at == sim.now ? sim.polls : 0;
    sim.now = e.at;
    sim.events++;
    *fire = e.fire;
    *arg = e.arg;
    return true;
}

void sim_events_clear(void)
{
    free(heap);
    heap = NULL;
    count = capacity = 0;
    sequence = 0;
}
