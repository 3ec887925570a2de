/* SPDX-License-Identifier: MIT */
/* hal/lock.h: mutual exclusion between cores, trylock, and that nobody is left out. */
#include "contract.h"

#include <hal/lock.h>
#include <hal/work.h>

#define CORES  4
#define ROUNDS 3000

static struct shared {
    struct hal_lock lock, turnstile;
    long a, b; /* equal outside of the lock */
    int inside;
    _Atomic int done, held, tried;
} shared[8];

static void hammers(void *arg)
{
    struct shared *s = arg;
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 16 != 0 || !hal_trylock(&s->lock)) {
            hal_lock(&s->lock);
        }
        CHECK_EQ(s->inside++, 0);
        CHECK_EQ(s->a, s->b);
        s->a++;
        if (i % 8 == 0) {
            hal_work(20);
        }
        s->b++;
        s->inside--;
        hal_unlock(&s->lock);
    }
    atomic_fetch_add(&s->done, 1);
    hal_event_notify(0);
}

static void tries(void *arg)
{
    struct shared *s = arg;
    CHECK(!hal_trylock(&s->turnstile));
    atomic_store(&s->tried, 1);
    hal_event_notify(0);
    hammers(s);
}

static void boot(void *arg)
{
    (void)arg;
    struct shared *s = &shared[hal_cluster()];
    hal_lock_init(&s->lock, "test");
    hal_lock_init(&s->turnstile, "turnstile");
    CHECK(hal_trylock(&s->turnstile));
    hal_unlock(&s->turnstile);
    CHECK(hal_trylock(&s->turnstile)); /* held until core 1 has tried it */
    CHECK_EQ(hal_core_start(1, tries, s), 0);
    /* Only a waiting core may wait with a lock held, so this one polls. */
    uint64_t limit = contract_after(PATIENT / 4);
    while (!atomic_load(&s->tried)) {
        CHECK(hal_clock_cycles() < limit);
        hal_event_relax();
    }
    hal_unlock(&s->turnstile);
    for (int core = 2; core < CORES; core++) {
        CHECK_EQ(hal_core_start(core, hammers, s), 0);
    }
    hammers(s);
    UNTIL(atomic_load(&s->done) == CORES);
    CHECK_EQ(s->a, (long)ROUNDS * CORES);
    CHECK_EQ(s->b, (long)ROUNDS * CORES);
}

int main(void)
{
    CHECK_EQ(contract_run(boot), 0);
    return 0;
}
