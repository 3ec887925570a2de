/* SPDX-License-Identifier: MIT */
/* hal/lock.h: mutual exclusion between cores, and that nobody is left out. */
#include "contract.h"

#include <hal/lock.h>
#include <hal/work.h>

#define CORES  4
#define ROUNDS 3000

static struct shared {
    struct hal_lock lock;
    long a, b; /* equal outside of the lock */
    int inside;
    _Atomic int done;
} shared[8];

static void hammers(void *arg)
{
    struct shared *s = arg;
    for (int i = 0; i < ROUNDS; i++) {
        hal_lock(&s->lock);
        CHECK_EQ(s->inside++, 0);
        CHECK_EQ(s->a, s->b);
        s->a++;
        if (i % 8 == 0)
            hal_work(20);
        s->b++;
        s->inside--;
        hal_unlock(&s->lock);
    }
    atomic_fetch_add(&s->done, 1);
    hal_event_notify(0);
}

static void boot(void *arg)
{
    (void)arg;
    struct shared *s = &shared[hal_cluster()];
    hal_lock_init(&s->lock, "test");
    for (int core = 1; core < CORES; core++)
        CHECK_EQ(hal_core_start(core, hammers, s), 0);
    hammers(s);
    UNTIL(atomic_load(&s->done) == CORES);
    CHECK_EQ(s->a, (long)ROUNDS * CORES);
    CHECK_EQ(s->b, (long)ROUNDS * CORES);
}

CONTRACT({.boot = boot});
