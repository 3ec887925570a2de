/* SPDX-License-Identifier: MIT */
/* Progress: a rank has one bell, and handles whatever rang it. Functions run on the rank's thread,
 * those marked "core" on any thread of its core. */
#ifndef MPIUTIL_PROGRESS_H
#define MPIUTIL_PROGRESS_H

#include <sys/k_crowd.h>
#include <sys/k_thread.h>

#include "request/request.h"

/* Handles everything that happened since the last call; false if nothing had. */
bool mpu_progress(struct mpu_rank *r);

/* The rank waits until its bell is rung, or, unless it is NULL, the crowd released. */
void mpu_rest(struct mpu_rank *r, struct k_crowd *crowd);

/* Looks whether `seen` as long as the port says that a core which waits should, lets others of the
 * core run meanwhile, and handles what comes. False: in vain. */
static inline __attribute__((always_inline)) bool mpu_look(struct mpu_rank *r,
                                                           bool (*seen)(void *arg), void *arg)
{
    enum { LOOKS_PER_POLL = 16, LOOKS_PER_CLOCK = 64 };
    uint64_t end = 0;
    if (r->cluster->info.spin_cycles == 0)
        return false;
    for (unsigned int i = 1;; i++) {
        if (seen(arg))
            return true;
        k_thread_pass();
        if (i % LOOKS_PER_POLL == 0)
            mpu_poll(r);
        if (i % LOOKS_PER_CLOCK == 0) {
            uint64_t now = k_time_cycles();
            end = end == 0 ? now + r->cluster->info.spin_cycles : end;
            if (now >= end)
                return false;
        }
    }
}

/* An alarm came from another cluster; owns the arrival. */
void mpu_alarm_arrived(struct mpu_rank *r, struct mpu_arrival *a);

#endif
