/* SPDX-License-Identifier: MIT */
/* The event queue. Events of one cycle come in the order in which they were queued; with a seed in
 * an order that the seed scrambles, which is repeatable all the same.
 *
 * What happens within the next SPAN cycles, almost everything, is in a wheel: a list for each of
 * these cycles, and a bit for each list that has something. So putting in and taking out take the
 * same few instructions however many events there are. What is later waits in a heap, and moves to
 * the wheel when its cycle comes within reach, which is before anything can be put into that
 * cycle's list directly: the order of queuing is kept. With a seed all events are in the heap,
 * because it orders those of a cycle by their scrambled numbers. */
#include "sim.h"

#include <hal/core.h>

#include <stdlib.h>

#include "bits.h"
#include "event_heap.h"

#define SPAN 4096 /* cycles: 64 words of 64 bits */

/* Entries of the lists, which are circular: a list is known by its last entry, 0 = it is empty. */
struct entry {
    void (*fire)(void *arg);
    void *arg;
    uint32_t next; /* in the list; of those that are free */
};

static struct {
    uint64_t first; /* cycle of the first event; HAL_NEVER: the wheel is empty */
    uint64_t words; /* those of `bits` that are not 0 */
    uint64_t bits[SPAN / 64];
    uint32_t last[SPAN]; /* of the list of each cycle, modulo SPAN */
    struct entry *entry;
    uint32_t room, free;
} wheel = {.first = HAL_NEVER};

static struct sim_heap heap;
static uint64_t sequence;

/* What comes after all others of the running cycle; fire: NULL if there is nothing. */
static struct {
    void (*fire)(void *arg);
    void *arg;
} at_end;

/* --- the wheel --- */

static void grow(void)
{
    uint32_t room = wheel.room == 0 ? 1024 : 2 * wheel.room;
    struct entry *larger = realloc(wheel.entry, room * sizeof *larger);
    if (!larger)
        abort(); /* the host has no memory left for the simulator itself */
    for (uint32_t i = room - 1; i > 0 && i >= wheel.room; i--) {
        larger[i].next = wheel.free;
        wheel.free = i;
    }
    wheel.entry = larger;
    wheel.room = room;
}

static inline void wheel_put(uint64_t at, void (*fire)(void *arg), void *arg)
{
    if (wheel.free == 0)
        grow();
    uint32_t i = wheel.free, slot = (uint32_t)(at % SPAN), last = wheel.last[slot];
    struct entry *e = &wheel.entry[i];
    wheel.free = e->next;
    e->fire = fire;
    e->arg = arg;
    wheel.last[slot] = i;
    if (last != 0) {
        e->next = wheel.entry[last].next;
        wheel.entry[last].next = i;
        return;
    }
    e->next = i;
    sim_bits_add(&wheel.words, wheel.bits, slot);
    wheel.first = at < wheel.first ? at : wheel.first;
}

/* The list of cycle `at`, the first, has become empty. The next one is behind it, or, round the
 * wheel, before it. */
static inline void wheel_advance(uint64_t at)
{
    uint32_t slot = (uint32_t)(at % SPAN);
    sim_bits_remove(&wheel.words, wheel.bits, slot);
    int next = sim_bits_from(wheel.words, wheel.bits, slot);
    wheel.first = next < 0 ? HAL_NEVER : at + ((uint32_t)next - slot) % SPAN;
}

static inline void wheel_take(void (**fire)(void *arg), void **arg)
{
    uint32_t slot = (uint32_t)(wheel.first % SPAN), last = wheel.last[slot];
    uint32_t i = wheel.entry[last].next;
    struct entry *e = &wheel.entry[i];
    *fire = e->fire;
    *arg = e->arg;
    if (i == last) {
        wheel.last[slot] = 0;
        wheel_advance(wheel.first);
    } else {
        wheel.entry[last].next = e->next;
    }
    e->next = wheel.free;
    wheel.free = i;
}

/* What is less than SPAN cycles after `now` moves from the heap to the wheel. */
static __attribute__((noinline)) void reach(uint64_t now)
{
    while (sim_heap_first(&heap) - now < SPAN) {
        struct sim_event e = sim_heap_take(&heap);
        wheel_put(e.at, e.fire, e.arg);
    }
}

/* --- the queue --- */

/* A bijection, so that two events never get the same number (finaliser of splitmix64). */
static uint64_t scramble(uint64_t n)
{
    if (sim.seed == 0)
        return n;
    n = (n ^ sim.seed) * 0x9E3779B97F4A7C15u;
    n = (n ^ n >> 30) * 0xBF58476D1CE4E5B9u;
    n = (n ^ n >> 27) * 0x94D049BB133111EBu;
    return n ^ n >> 31;
}

void sim_at(uint64_t at, void (*fire)(void *arg), void *arg)
{
    bool near = at - sim.now < SPAN && sim.seed == 0;
    if (!near) {
        sim_heap_push(&heap, (struct sim_event){at, scramble(sequence++), fire, arg});
        return;
    }
    if (sim_heap_first(&heap) - sim.now < SPAN)
        reach(sim.now);
    wheel_put(at, fire, arg);
}

void sim_at_end_of_cycle(void (*fire)(void *arg), void *arg)
{
    at_end.fire = fire;
    at_end.arg = arg;
}

bool sim_event_before(uint64_t cycle)
{
    return wheel.first <= cycle || sim_heap_first(&heap) <= cycle || at_end.fire;
}

/* With a seed: nothing is in the wheel. */
static bool take_scrambled(void (**fire)(void *arg), void **arg)
{
    struct sim_event e = sim_heap_take(&heap);
    sim.now = hal_here_clock = e.at;
    *fire = e.fire;
    *arg = e.arg;
    return true;
}

bool sim_event_next(void (**fire)(void *arg), void **arg)
{
    uint64_t first = wheel.first, later = sim_heap_first(&heap);
    uint64_t at = first < later ? first : later;
    if (at_end.fire && at != sim.now) {
        *fire = at_end.fire;
        *arg = at_end.arg;
        at_end.fire = NULL;
        sim.events++;
        return true;
    }
    if (at == HAL_NEVER)
        return false;
    sim.events++;
    if (sim.seed != 0)
        return take_scrambled(fire, arg);
    sim.now = hal_here_clock = at;
    if (later - at < SPAN)
        reach(at);
    wheel_take(fire, arg);
    return true;
}

void sim_events_skip(int n)
{
    sequence += (uint64_t)n;
}

void sim_events_clear(void)
{
    sim_heap_clear(&heap);
    free(wheel.entry);
    wheel.entry = NULL;
    wheel.room = wheel.free = 0;
    wheel.first = HAL_NEVER;
    wheel.words = 0;
    for (int i = 0; i < SPAN; i++) {
        wheel.last[i] = 0;
        wheel.bits[i / 64] = 0;
    }
    at_end.fire = NULL;
    sequence = 0;
}
