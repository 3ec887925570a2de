/* SPDX-License-Identifier: MIT */
/* Time as the program sees it, in routines that stand before the C library's. A rank that shares
 * its process must not put the process to sleep: it sleeps as a thread of its kernel, and others of
 * its core run. In virtual time that takes no time of this computer, and the clocks of the C
 * library are the machine's, so that a program which seeds its random numbers with the time, or
 * prints it, gives the same in every run. For all others these routines are the C library's. */
#include <poll.h>
#include <sched.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <hal/clock.h>
#include <hal/hosted.h>
#include <process/image.h>
#include <sys/k_info.h>
#include <sys/k_thread.h>

#include "behind.h"

#define SECOND 1000000000U /* in nanoseconds */

/* When a machine in virtual time is switched on: 2000-01-01 00:00:00 UTC. */
enum { BIRTH = 946684800 };

/* Does the caller sleep as a thread of its kernel? */
static bool sleeps_apart(void)
{
    return (image.shared || image_is_virtual()) && image_rank_self();
}

static bool has_own_clock(void)
{
    return image_is_virtual() && image_rank_self();
}

static bool valid(const struct timespec *t)
{
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < (long)SECOND;
}

/* Lets the others run until the time is over, or once if there is none. */
static void rest(uint64_t seconds, uint64_t ns)
{
    struct image_rank *r = image_compute_enter();
    uint64_t hz = hal_clock_hz();
    uint64_t cycles = seconds * hz + ns * (hz / 1000) / (SECOND / 1000);
    if (seconds > HAL_NEVER / 2 / hz)
        cycles = HAL_NEVER / 2; /* for ever, in practice */
    if (cycles == 0)
        k_thread_yield();
    else
        k_thread_sleep(cycles);
    if (image.privately)
        image.privately->back();
    image_compute_leave(r);
}

/* The machine's time, after what the rank has computed so far. That is charged later: ranks share
 * libraries, and who asks may hold a lock that the next one waits for, as the allocator of the
 * address sanitizer does. Only whoever asks again and again lets others run. */
static uint64_t own_time_ns(void)
{
    uint64_t pending = image_compute_pending();
    uint64_t ns = (uint64_t)((unsigned __int128)pending * SECOND / hal_clock_hz()) + k_time_ns();
    if (image.privately)
        image.privately->back();
    return ns;
}

/* --- sleep --- */

EXPORT unsigned sleep(unsigned seconds)
{
    NEXT(sleep, unsigned, unsigned);
    if (!sleeps_apart())
        return next(seconds);
    rest(seconds, 0);
    return 0;
}

EXPORT int usleep(useconds_t us)
{
    NEXT(usleep, int, useconds_t);
    if (!sleeps_apart())
        return next(us);
    rest(us / 1000000, us % 1000000 * 1000ULL);
    return 0;
}

EXPORT int nanosleep(const struct timespec *t, struct timespec *left)
{
    NEXT(nanosleep, int, const struct timespec *, struct timespec *);
    if (!sleeps_apart() || !valid(t))
        return next(t, left);
    rest((uint64_t)t->tv_sec, (uint64_t)t->tv_nsec);
    return 0;
}

EXPORT int clock_nanosleep(clockid_t id, int flags, const struct timespec *t, struct timespec *left)
{
    NEXT(clock_nanosleep, int, clockid_t, int, const struct timespec *, struct timespec *);
    struct timespec now = {0};
    if (!sleeps_apart() || !valid(t))
        return next(id, flags, t, left);
    if ((flags & TIMER_ABSTIME) != 0 && clock_gettime(id, &now) != 0)
        return next(id, flags, t, left);
    long long s = (long long)t->tv_sec - now.tv_sec, ns = t->tv_nsec - now.tv_nsec;
    if (ns < 0) {
        s--;
        ns += SECOND;
    }
    if (s >= 0)
        rest((uint64_t)s, (uint64_t)ns);
    return 0;
}

/* Without descriptors these two are ways to sleep; with some they are the system's. */
EXPORT int select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
                  struct timeval *restrict t)
{
    NEXT(select, int, int, fd_set *, fd_set *, fd_set *, struct timeval *);
    if (n != 0 || !t || t->tv_sec < 0 || t->tv_usec < 0 || !sleeps_apart())
        return next(n, in, out, except, t);
    rest((uint64_t)t->tv_sec + (uint64_t)t->tv_usec / 1000000,
         (uint64_t)t->tv_usec % 1000000 * 1000);
    return 0;
}

EXPORT int poll(struct pollfd *of, nfds_t n, int ms)
{
    NEXT(poll, int, struct pollfd *, nfds_t, int);
    if (n != 0 || ms < 0 || !sleeps_apart())
        return next(of, n, ms);
    rest((uint64_t)ms / 1000, (uint64_t)ms % 1000 * 1000000);
    return 0;
}

EXPORT int sched_yield(void)
{
    NEXT(sched_yield, int, void);
    if (!sleeps_apart())
        return next();
    rest(0, 0);
    return 0;
}

/* --- clocks --- */

uint64_t image_host_ns(int clock)
{
    NEXT(clock_gettime, int, clockid_t, struct timespec *);
    struct timespec t;
    next((clockid_t)clock, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

EXPORT int clock_gettime(clockid_t id, struct timespec *t)
{
    NEXT(clock_gettime, int, clockid_t, struct timespec *);
    if (!has_own_clock())
        return next(id, t);
    bool date = id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI;
    uint64_t ns = own_time_ns();
    t->tv_sec = (time_t)(ns / SECOND) + (date ? BIRTH : 0);
    t->tv_nsec = (long)(ns % SECOND);
    return 0;
}

EXPORT int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    NEXT(gettimeofday, int, struct timeval *, void *);
    struct timespec now;
    if (!has_own_clock())
        return next(t, zone);
    clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

EXPORT time_t time(time_t *result)
{
    NEXT(time, time_t, time_t *);
    struct timespec now;
    if (!has_own_clock())
        return next(result);
    clock_gettime(CLOCK_REALTIME, &now);
    if (result)
        *result = now.tv_sec;
    return now.tv_sec;
}

EXPORT clock_t clock(void)
{
    NEXT(clock, clock_t, void);
    return has_own_clock() ? (clock_t)(own_time_ns() / (SECOND / CLOCKS_PER_SEC)) : next();
}
