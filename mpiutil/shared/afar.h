/* SPDX-License-Identifier: MIT */
/* Whether lines that a core stores come from afar. Those of a cell that another core has read last
 * are there, and have to be fetched before they are written. To store past the caches needs none of
 * them, but its reader finds the bytes in memory: a message takes up to twice as long so where
 * lines come fast, and a third of the time where they come slowly. Which of both it is may change
 * while a job runs, as a virtual machine's processors are moved, so it is measured: by what is
 * stored anyway, and, each TRY-th time, by storing it the other way. */
#ifndef MPIUTIL_SHARED_AFAR_H
#define MPIUTIL_SHARED_AFAR_H

#include <stdbool.h>
#include <stdint.h>

/* Of one core; all-zero: nothing was stored. */
struct mpu_afar {
    uint32_t cost[2]; /* cycles for 1 KB in caches, past them: the least, slowly forgotten; 0: not
                       * known */
    uint8_t turn;
    bool past; /* is the better way */
};

/* Fewest bytes for which it matters, and which are worth to be timed. */
#define MPU_AFAR_LEAST 8192

/* How the next bytes are to be stored: true: past the caches. */
static inline bool mpu_afar_past(struct mpu_afar *a)
{
    enum { TRY = 128 };
    return a->past != (a->turn++ % TRY == 0);
}

/* So many bytes were stored so. Who was interrupted meanwhile does not count for much. */
static inline void mpu_afar_took(struct mpu_afar *a, bool past, uint64_t cycles, uint64_t bytes)
{
    enum { AFAR = 3, FORGETS = 8 };
    const uint64_t most = UINT32_MAX / (2 * AFAR);
    uint32_t old = a->cost[past];
    uint64_t cost = cycles * 1024 / bytes + 1;
    if (old && cost > old + old / FORGETS)
        cost = old + old / FORGETS + 1;
    a->cost[past] = (uint32_t)(cost < most ? cost : most);
    a->past = a->cost[1] && a->cost[0] > AFAR * a->cost[1];
}

#endif
