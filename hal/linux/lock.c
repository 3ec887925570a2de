/* SPDX-License-Identifier: MIT */
/* Locks: tickets, so first come first served. A waiting core polls for a bounded time, then sleeps
 * on the number being served; with more cores than processors the holder may not be running, and
 * polling would only keep it from it.
 *
 * word[0] next ticket, word[1] ticket served (its low half is the futex), word[2] sleepers. No
 * wake-up is lost: a waiter counts itself in word[2] and then sleeps only if word[1] is still what
 * it read; who unlocks changes word[1] and then reads word[2]. All four are sequentially
 * consistent, so either the count is seen or the sleep is refused.
 *
 * A cluster of one core has nobody to wait for: its locks count without atomic operations. */
#include "port.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <hal/event.h>
#include <hal/lock.h>

#define POLLS 2000 /* some 20 us: longer than any section the contract allows */

enum { NEXT, SERVED, SLEEPERS };

/* Sleepers wait for one bit of 32 by ticket, so that a wake-up wakes the next one only, or
 * nearly. */
static void served_wait(struct hal_lock *l, uint64_t seen, uint64_t ticket)
{
    syscall(SYS_futex, (uint32_t *)&l->word[SERVED], FUTEX_WAIT_BITSET_PRIVATE, (uint32_t)seen,
            NULL, NULL, 1u << (ticket % 32));
}

static void served_wake(struct hal_lock *l, uint64_t ticket)
{
    syscall(SYS_futex, (uint32_t *)&l->word[SERVED], FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, NULL,
            1u << (ticket % 32));
}

void hal_lock_init(struct hal_lock *l, const char *name)
{
    *l = (struct hal_lock){.name = name};
}

/* Not part of hal_lock's frame, which would cost each lock that is free some of its time. */
static __attribute__((noinline)) void wait_turn(struct hal_lock *l, uint64_t ticket)
{
    int polls = lx.fits ? POLLS : 0;
    for (int i = 0; i < polls; i++) {
        if (__atomic_load_n(&l->word[SERVED], __ATOMIC_ACQUIRE) == ticket)
            return;
        hal_event_relax(true);
    }
    __atomic_fetch_add(&l->word[SLEEPERS], 1, __ATOMIC_SEQ_CST);
    for (;;) {
        uint64_t served = __atomic_load_n(&l->word[SERVED], __ATOMIC_SEQ_CST);
        if (served == ticket)
            break;
        served_wait(l, served, ticket);
    }
    __atomic_fetch_sub(&l->word[SLEEPERS], 1, __ATOMIC_RELAXED);
}

void hal_lock(struct hal_lock *l)
{
    if (lx.cores == 1) {
        l->word[NEXT]++;
        return;
    }
    uint64_t ticket = __atomic_fetch_add(&l->word[NEXT], 1, __ATOMIC_RELAXED);
    if (__atomic_load_n(&l->word[SERVED], __ATOMIC_ACQUIRE) != ticket)
        wait_turn(l, ticket);
}

void hal_unlock(struct hal_lock *l)
{
    if (lx.cores == 1) {
        l->word[SERVED]++;
        return;
    }
    uint64_t next = __atomic_load_n(&l->word[SERVED], __ATOMIC_RELAXED) + 1;
    __atomic_store_n(&l->word[SERVED], next, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&l->word[SLEEPERS], __ATOMIC_SEQ_CST) != 0)
        served_wake(l, next);
}
