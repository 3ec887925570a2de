/* SPDX-License-Identifier: MIT */
/* Ranks that come late to a call now and then. Needs _POSIX_C_SOURCE 200809L. */
#ifndef TESTS_MPI_LATE_H
#define TESTS_MPI_LATE_H

#include <time.h>

#include "draw.h"

/* Of `among` calls one sleeps, so long that others who wait do, too; `busy` pass some time. Not by
 * nanosleep: thread sanitizers take it over, and see no lock that is taken within. */
static inline void come_late(unsigned int *own, unsigned int among, unsigned int busy)
{
    unsigned int what = draw(own, among);
    if (what == 0)
        clock_nanosleep(CLOCK_MONOTONIC, 0,
                        &(struct timespec){.tv_nsec = 1000000 + (long)draw(own, 2000000)}, NULL);
    for (volatile unsigned int i = 0; what < busy && i < draw(own, 20000); i++)
        continue;
}

#endif
