/* SPDX-License-Identifier: MIT */
/* Who waits for long is told so, once, that it may ask why: a clock of the cluster ticks while
 * ranks wait, some ten times a second, and rings with MPU_RUNG_CLOCK the bell of each that it finds
 * waiting twice. It stops when all were told or nobody waits. */
#ifndef MPIUTIL_PROGRESS_PATIENCE_H
#define MPIUTIL_PROGRESS_PATIENCE_H

#include <stdatomic.h>
#include <stdbool.h>

#include <base/link.h>
#include <sys/k_task.h>

struct mpu_patience {
    atomic_bool made; /* mpu_clock_start was called */
    atomic_bool off;  /* it does not tick, or for the last time, and may be started */
    struct k_task tick;
};

/* What a rank does, as the clock sees it: struct mpu_rank, `waits`. */
enum { MPU_RUNS, MPU_WAITS, MPU_WAITS_LONG, MPU_TOLD };

/* A rank that is noted as waiting: has the clock tick, if there is one. Any thread; never waits. A
 * program that is linked without mpu_clock_start does without this, too. */
B_IF_LINKED void mpu_patience_start(struct mpu_patience *p);
static inline void mpu_patience_begin(struct mpu_patience *p)
{
    if (atomic_load_explicit(&p->off, memory_order_relaxed))
        mpu_patience_start(p);
}

#endif
