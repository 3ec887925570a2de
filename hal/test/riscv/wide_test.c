/* SPDX-License-Identifier: MIT */
/* Atomics of 64 bits, which processors of 32 do with a lock (hal/cpu/riscv/wide.c): what is loaded
 * was stored in one piece, and who waits lets the one go on for whom it waits, though the turn of a
 * hart may end anywhere. Core 0 naps, so that turns end. */
#include "../contract.h"

#define CORES  4
#define ROUNDS 80000
#define NAPS   200

static struct shared {
    _Atomic(uint64_t) word;
    _Atomic int done;
} shared[8];

static void hammers(void *arg)
{
    struct shared *s = arg;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint64_t seen = atomic_load(&s->word);
        CHECK_EQ(seen >> 32, seen & UINT32_MAX);
        atomic_store(&s->word, (uint64_t)i << 32 | i);
        if (i % 64 == 0)
            hal_event_relax(false);
    }
    atomic_fetch_add(&s->done, 1);
    hal_event_notify(0);
}

static void boot(void *arg)
{
    (void)arg;
    struct shared *s = &shared[hal_cluster()];
    uint64_t start = hal_clock_ns();
    for (int core = 1; core < CORES; core++)
        CHECK_EQ(hal_core_start(core, hammers, s), 0);
    for (uint64_t i = 0; i < NAPS; i++) {
        uint64_t until = contract_after(5000 + 700 * i);
        while (hal_clock_cycles() < until)
            hal_event_wait(until);
    }
    UNTIL(atomic_load(&s->done) == CORES - 1);
    /* QEMU ends the turn of a hart after 100 ms at the latest. */
    CHECK(hal_clock_ns() - start < 2 * SECOND);
}

CONTRACT({.boot = boot});
