/* SPDX-License-Identifier: MIT */
/* Counters, in the mapping: a cluster adds to its own, the launcher and the program read all. */
#include "port.h"

#include <string.h>

#include <hal/hosted.h>
#include <hal/trace.h>

#define CACHE 256 /* addresses of names that were looked up, a power of two */

enum { FREE, WRITING, SUM, HIGHEST };

/* A name's address is constant, so it is compared as text only once. */
static struct {
    _Atomic(const char *) name;
    atomic_uint index;
} cache[CACHE];

/* The index of a name, which gets one if it is new; LX_COUNTERS when there are too many. */
static unsigned find(const char *name, unsigned kind)
{
    for (unsigned i = 0; i < LX_COUNTERS; i++) {
        struct lx_counter_name *c = &lx.job->counter[i];
        unsigned state = FREE;
        if (atomic_compare_exchange_strong(&c->state, &state, WRITING)) {
            strncpy(c->text, name, LX_NAME - 1);
            atomic_store(&c->state, kind);
            return i;
        }
        /* Another cluster writes the name: it takes no time unless that cluster was stopped. */
        for (int polls = 0; state == WRITING && polls < 1000000; polls++)
            state = atomic_load(&c->state);
        if (state == kind && strncmp(c->text, name, LX_NAME - 1) == 0)
            return i;
    }
    return LX_COUNTERS;
}

static atomic_ullong *counter(const char *name, unsigned kind)
{
    unsigned slot = (unsigned)((uintptr_t)name * 2654435761u >> 8) % CACHE;
    for (unsigned i = 0; i < CACHE; i++, slot = (slot + 1) % CACHE) {
        const char *known = atomic_load_explicit(&cache[slot].name, memory_order_acquire);
        if (!known) {
            unsigned index = find(name, kind);
            if (index == LX_COUNTERS)
                return NULL;
            atomic_store_explicit(&cache[slot].index, index, memory_order_relaxed);
            if (atomic_compare_exchange_strong(&cache[slot].name, &known, name))
                return &lx.self->counter[index];
        }
        if (known == name) {
            unsigned index = atomic_load_explicit(&cache[slot].index, memory_order_relaxed);
            return &lx.self->counter[index];
        }
    }
    return NULL;
}

void hal_count(const char *name, uint64_t add)
{
    atomic_ullong *c = counter(name, SUM);
    if (c)
        atomic_fetch_add_explicit(c, add, memory_order_relaxed);
}

void hal_count_max(const char *name, uint64_t value)
{
    atomic_ullong *c = counter(name, HIGHEST);
    if (c) {
        unsigned long long old = atomic_load_explicit(c, memory_order_relaxed);
        while (old < value && !atomic_compare_exchange_weak(c, &old, value)) {
        }
    }
}

const char *lx_counter_name(const struct lx_header *h, int i)
{
    struct lx_header *mutable = (struct lx_header *)(uintptr_t)h;
    bool there = i >= 0 && i < LX_COUNTERS && atomic_load(&mutable->counter[i].state) >= SUM;
    return there ? h->counter[i].text : NULL;
}

uint64_t lx_counter_sum(const struct lx_header *h, int i)
{
    uint64_t sum = 0, highest = 0;
    if (!lx_counter_name(h, i))
        return 0;
    for (int c = 0; c < hal_machine_clusters(&h->machine); c++) {
        uint64_t value = atomic_load(&lx_cluster(h, c)->counter[i]);
        sum += value;
        highest = value > highest ? value : highest;
    }
    unsigned kind = atomic_load(&((struct lx_header *)(uintptr_t)h)->counter[i].state);
    return kind == HIGHEST ? highest : sum;
}

const char *hal_counter_name(int i)
{
    return lx_counter_name(lx.job, i);
}

uint64_t hal_counter_sum(int i)
{
    return lx_counter_sum(lx.job, i);
}
