/* SPDX-License-Identifier: MIT */
#include "progress/progress.h"

#define TICKS_PER_SECOND 10

/* Whether the rank must be looked at once more. It may go on at any time: if it does so between the
 * look and the ring, it looks around once for nothing. */
static bool looked_at(struct mpu_rank *r)
{
    unsigned char w = atomic_load_explicit(&r->waits, memory_order_relaxed);
    if (w != MPU_WAITS && w != MPU_WAITS_LONG)
        return false;
    if (!atomic_compare_exchange_strong(&r->waits, &w, (unsigned char)(w + 1)))
        return true;
    if (w == MPU_WAITS_LONG)
        k_bell_ring(&r->bell, MPU_RUNG_CLOCK);
    return true;
}

/* The clock stops in two steps: it says that it is off at one tick, and stops at the next one
 * unless somebody waits by then. A rank that begins to wait in between sees that it is off, and
 * starts it again; one that saw it on has noted its wait before that last tick. */
static int tick(long a0, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct mpu_cluster *c = (struct mpu_cluster *)a0;
    bool any = false;
    for (int i = 0; i < c->locals; i++)
        any |= looked_at(&c->ranks[i]);
    bool off = atomic_exchange(&c->stall_clock.off, !any);
    return any || !off ? K_PERIODIC : K_USER0;
}

void mpu_stall_clock_start(struct mpu_rank *r)
{
    struct mpu_cluster *c = r->cluster;
    struct k_task *t = &c->stall_clock.tick;
    struct k_task_attr attr = {.fn = tick,
                               .criterion = K_TO_PERIODIC,
                               .period = c->info.hz / TICKS_PER_SECOND,
                               .core = K_ANY};
    if (atomic_exchange(&c->stall_clock.made, true) || k_task_create(t, &attr) < 0)
        return;
    k_task_set(t, K_TASK_ARG0, (long)c);
    atomic_store(&c->stall_clock.off, true);
}

void mpu_stall_clock_resume(struct mpu_stall_clock *clock)
{
    if (atomic_exchange(&clock->off, false))
        k_task_signal(&clock->tick);
}
