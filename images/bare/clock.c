/* SPDX-License-Identifier: MIT */
/* Time, as a program on bare metal asks for it and waits for it. There is one clock, which counts
 * from the machine's start. Nobody counts what a rank computes, so processor time is that, too:
 * most ranks have a core for themselves. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "bare.h"

#define SECOND UINT64_C(1000000000)

int clock_gettime(clockid_t clock, struct timespec *t)
{
    uint64_t ns = bare_time();
    (void)clock;
    *t = (struct timespec){(time_t)(ns / SECOND), (long)(ns % SECOND)};
    return 0;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    uint64_t us = bare_time() / 1000;
    (void)zone;
    *t = (struct timeval){(time_t)(us / 1000000), (suseconds_t)(us % 1000000)};
    return 0;
}

clock_t clock(void)
{
    return (clock_t)(bare_time() / (SECOND / CLOCKS_PER_SEC));
}

clock_t times(struct tms *t)
{
    clock_t now = clock();
    *t = (struct tms){.tms_utime = now};
    return now;
}

int getrusage(int who, struct rusage *used)
{
    if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN) {
        errno = EINVAL;
        return -1;
    }
    *used = (struct rusage){0};
    return who == RUSAGE_SELF ? gettimeofday(&used->ru_utime, NULL) : 0;
}

/* Nobody ends a sleep before its time, so nothing is ever left. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
    (void)clock;
    (void)left;
    if (t->tv_nsec < 0 || t->tv_nsec >= (long)SECOND || t->tv_sec < 0)
        return EINVAL;
    bool for_ever = (uint64_t)t->tv_sec >= UINT64_MAX / SECOND;
    uint64_t ns = for_ever ? UINT64_MAX : (uint64_t)t->tv_sec * SECOND + (uint64_t)t->tv_nsec;
    uint64_t over = flags & TIMER_ABSTIME ? bare_time() : 0;
    if (ns > over)
        bare_sleep(ns - over);
    return 0;
}

int nanosleep(const struct timespec *t, struct timespec *left)
{
    int rc = clock_nanosleep(CLOCK_MONOTONIC, 0, t, left);
    if (rc)
        errno = rc;
    return rc ? -1 : 0;
}

int usleep(useconds_t us)
{
    bare_sleep((uint64_t)us * 1000);
    return 0;
}

unsigned sleep(unsigned seconds)
{
    bare_sleep((uint64_t)seconds * SECOND);
    return 0;
}
