/* SPDX-License-Identifier: MIT */
/* A watch: a word in memory that a core looks at while it has nothing to do. Others give the core
 * something to do by writing that word alone, and need no event as long as the core is awake. Who
 * gives work writes the word, and after a fence looks at `asleep`; a core that goes to sleep says
 * so there and then looks at the word, both sequentially consistent. So one of the two sees the
 * other: either the core does not sleep, or the writer must raise its event.
 *
 * The fence waits until the word has left the writer, for as long as its line takes from the core
 * that looks at it. Where `relaxed` is set there is none, and both may miss the other. The core
 * then finds the word by itself: it looks on before it sleeps, and now and then while it does. */
#ifndef BASE_WATCH_H
#define BASE_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <base/config.h>
#include <base/fence.h>

struct b_watch {
    /* The core that watches only. */
    const _Atomic(uint32_t) *word;
    uint32_t value; /* there is something to do once *word has this value */

    /* Written by that core when it falls asleep and wakes, read by all. */
    _Alignas(KERN_LINE) _Atomic(uint32_t) asleep;
    _Atomic(bool) relaxed; /* set once, while awake (hal/event.h) */
};

/* On the core that watches: there is something to do. */
static inline bool b_watch_due(const struct b_watch *w)
{
    return atomic_load(w->word) == w->value;
}

/* On another core, after it wrote the word: the core that watches may not see it before an
 * event. */
static inline bool b_watch_asleep(struct b_watch *w)
{
    if (!atomic_load_explicit(&w->relaxed, memory_order_relaxed))
        b_fence();
    return atomic_load(&w->asleep) != 0;
}

#endif
