/* SPDX-License-Identifier: MIT */
/* The stall clock tells a rank that waits for long so, once for each wait. It belongs to a cluster,
 * ticks ten times a second while ranks wait, and rings with MPU_RUNG_CLOCK the bell of each rank
 * that two ticks in a row find waiting. It stops when all were told or nobody waits. */
#ifndef MPIUTIL_RANK_STALL_H
#define MPIUTIL_RANK_STALL_H

#include <stdatomic.h>
#include <stdbool.h>

#include <base/link.h>
#include <sys/k_task.h>

struct mpu_stall_clock {
    atomic_bool made; /* mpu_stall_clock_start was called; else it never ticks */
    atomic_bool off;  /* it does not tick, or for the last time, and may go on */
    struct k_task tick;
};

/* What a rank does, as the clock sees it: struct mpu_rank, `waits`. */
enum { MPU_RUNS, MPU_WAITS, MPU_WAITS_LONG, MPU_TOLD };

/* A rank that is noted as waiting: has the clock tick, if there is one. Any thread; never waits. A
 * program that is linked without mpu_stall_clock_start does without this, too. */
B_IF_LINKED void mpu_stall_clock_resume(struct mpu_stall_clock *clock);
static inline void mpu_stall_clock_run(struct mpu_stall_clock *clock)
{
    if (atomic_load_explicit(&clock->off, memory_order_relaxed))
        mpu_stall_clock_resume(clock);
}

#endif
