/* SPDX-License-Identifier: MIT */
/* The clock: the processor's counter where it runs steadily on all processors, else
 * CLOCK_MONOTONIC. */
#include "port.h"

#include <time.h>

#include <hal/clock.h>
#include <hal/ticks.h>

#define CALIBRATION_NS UINT64_C(2000000)

uint64_t lx_monotonic_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* One instant on both clocks: of several readings the one with the least time around the
 * counter's. */
static void both(uint64_t *ns, uint64_t *counter)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 16; i++) {
        uint64_t before = lx_monotonic_ns();
        uint64_t now = hal_host_ticks();
        uint64_t after = lx_monotonic_ns();
        if (after - before < least) {
            least = after - before;
            *ns = before + (after - before) / 2;
            *counter = now;
        }
    }
}

void lx_clock_start(struct lx_header *h)
{
    h->hz = 1000000000;
    h->ticks = hal_ticks_steady();
    both(&h->start_ns, &h->start_ticks);
    if (h->ticks) {
        uint64_t ns = 0, counter = 0;
        while (lx_monotonic_ns() - h->start_ns < CALIBRATION_NS) {
        }
        both(&ns, &counter);
        h->hz = (uint64_t)((double)(counter - h->start_ticks) * 1e9 / (double)(ns - h->start_ns));
    }
}

_Thread_local uint64_t hal_here_clock;

uint64_t hal_clock_cycles(void)
{
    const struct lx_header *h = lx.job;
    return hal_here_clock =
               h->ticks ? hal_host_ticks() - h->start_ticks : lx_monotonic_ns() - h->start_ns;
}

uint64_t hal_clock_ns(void)
{
    return lx_monotonic_ns() - lx.job->start_ns;
}

uint64_t hal_clock_hz(void)
{
    return lx.job->hz;
}
