/* SPDX-License-Identifier: MIT */
/* The memory of multicasts: threads that give and take entries and slots by turns, and tell seldom
 * where they are. Nobody finds anything but what the root of the call gave; a root is ahead of the
 * others as far as there are entries, and no farther; of two roots one fills the entry. Also where
 * numbers wrap round, and where calls are far from each other. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <test/check.h>

#include "segment/multicasts.h"

#define RANKS 4
#define CALLS 20000

static struct mpu_multicasts *shared;
static uint32_t begin, stride; /* number of the first call; from one to the next */

static bool all_reached(int me, uint32_t needs)
{
    for (int i = 0; i < RANKS; i++)
        if (i != me && !cast_reached(atomic_load(&shared->done[i]), needs))
            return false;
    return true;
}

/* Where the bytes of the call lie. */
static uint32_t *place_of(uint32_t number, uint64_t bytes)
{
    struct cast_slots its = cast_slots_of(number, cast_slots_for(bytes));
    return (uint32_t *)(void *)(its.n ? shared->slot[its.first] + (its.n - 1) * MPU_CAST_SLOT
                                      : cast_entry_of(shared, number)->data);
}

static void give(int me, uint32_t number, uint64_t bytes)
{
    struct cast_entry *e = cast_entry_of(shared, number);
    uint32_t claim = atomic_load(&shared->claimed[number % CAST_ENTRIES]);
    uint32_t needs = cast_needs_all(shared, claim, number, bytes);
    while (!all_reached(me, needs))
        sched_yield();
    CHECK(cast_claim(shared, claim, number));
    CHECK(!cast_claim(shared, claim, number));
    cast_take_slots(shared, number, bytes);
    place_of(number, bytes)[0] = place_of(number, bytes)[9] = number;
    atomic_store(&e->at, cast_filled(number));
}

/* Who waits tells where it is: a root that needs all slots waits for all who had some. */
static void take(int me, uint32_t number, uint64_t bytes)
{
    struct cast_entry *e = cast_entry_of(shared, number);
    while (atomic_load(&e->at) != cast_filled(number)) {
        atomic_store(&shared->done[me], cast_done(number));
        sched_yield();
    }
    CHECK_EQ(place_of(number, bytes)[0], number);
    CHECK_EQ(place_of(number, bytes)[9], number);
    CHECK_EQ(atomic_load(&e->at), cast_filled(number));
}

/* Two of five have a slot, one of five all. */
static const uint64_t sizes[] = {40, 40, MPU_CAST_ENTRY + 1, MPU_CAST_SLOT, MPU_CAST_SLOT + 1};

static void *rank(void *arg)
{
    int me = (int)(intptr_t)arg;
    unsigned int common = 1, own = (unsigned int)me;
    uint32_t told = begin;
    atomic_store(&shared->done[me], cast_done(begin));
    for (uint32_t i = 0; i < CALLS; i++) {
        uint32_t number = begin + i * stride;
        uint64_t bytes = sizes[rand_r(&common) % 5];
        if (number - told >= CAST_TELLS) {
            told = number;
            atomic_store(&shared->done[me], cast_done(number));
        }
        if (rand_r(&common) % RANKS == me)
            give(me, number, bytes);
        else
            take(me, number, bytes);
        if (rand_r(&own) % 4 == 0) {
            told = number + 1;
            atomic_store(&shared->done[me], cast_done(told));
        }
        if (rand_r(&own) % 64 == 0)
            sched_yield();
    }
    return NULL;
}

static void run(uint32_t first, uint32_t step)
{
    size_t bytes = sizeof *shared + RANKS * sizeof(uint32_t);
    pthread_t thread[RANKS];
    shared = aligned_alloc(KERN_LINE, (bytes + KERN_LINE - 1) / KERN_LINE * KERN_LINE);
    CHECK(shared);
    memset(shared, 0, bytes);
    begin = first;
    stride = step;
    for (intptr_t i = 0; i < RANKS; i++)
        CHECK_EQ(pthread_create(&thread[i], NULL, rank, (void *)i), 0);
    for (int i = 0; i < RANKS; i++)
        CHECK_EQ(pthread_join(thread[i], NULL), 0);
    free(shared);
}

/* One that gives alone is ahead by as many calls as there are entries, or slots. */
static void ahead(uint64_t bytes, uint32_t most)
{
    static struct mpu_multicasts m;
    uint32_t n = 0;
    for (; n <= most; n++) {
        struct cast_entry *e = cast_entry_of(&m, n);
        uint32_t claim = m.claimed[n % CAST_ENTRIES], needs = cast_needs_all(&m, claim, n, bytes);
        if (!cast_reached(cast_done(0), needs))
            break;
        CHECK(!cast_reached(0, needs));
        CHECK(cast_claim(&m, claim, n));
        cast_take_slots(&m, n, bytes);
        atomic_store(&e->at, cast_filled(n));
    }
    CHECK_EQ(n, most);
    memset(&m, 0, sizeof m);
}

int main(void)
{
    ahead(8, CAST_ENTRIES);
    ahead(MPU_CAST_SLOT, CAST_TURNS);
    ahead(MPU_CAST_SLOT + 1, 1);
    run(0, 1);
    run(UINT32_MAX - CALLS / 2, 1);
    run(0, 3);
    run(0, CAST_ENTRIES);
    return 0;
}
