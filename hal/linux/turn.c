/* SPDX-License-Identifier: MIT */
/* Turns of a core that polls, for others who want its processor. That the job has a processor for
 * each core (lx.fits) is known from what the process may use when it starts. Later the program may
 * bind itself elsewhere, and other programs run. So a core that polls in vain yields now and then,
 * and learns from what comes of it:
 *  - nobody else ran: it polls twice as long before the next turn, until turns cost next to
 *    nothing.
 *  - others ran and soon gave the processor back: they poll as well, perhaps for this core's
 *    answer, so it yields whenever it finds nothing.
 *  - who ran kept the processor: they compute, and whatever arrives meanwhile is seen late. Turns
 *    become as rare as if nobody had run. */
#include "port.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <hal/clock.h>

#define ROW        8                 /* looks in vain that are a wait, if others follow as soon: */
#define ROW_HZ     2000000           /* ... so many a second */
#define TURNS_HZ   50000             /* turns in a second of who looks more seldom */
#define SKIPS_MOST 1023              /* a turn takes as long as some polls */
#define SOON_NS    UINT64_C(1000000) /* shorter than the system lets anybody compute */

static _Thread_local struct {
    unsigned left, skips; /* polls until the next turn; how many there were after the last one */
    long lost;            /* times that others took the processor from this thread, so far */
} turn __attribute__((tls_model("initial-exec")));

static _Thread_local struct {
    unsigned row;           /* looks in vain that followed each other without computing */
    uint64_t looked, given; /* cycles: the last look, the end of the last turn */
} shared __attribute__((tls_model("initial-exec")));

/* Not sched_yield and nanosleep: a program's own let its ranks run. */
void lx_yield(void)
{
    syscall(SYS_sched_yield);
}

void lx_nap(uint64_t ns)
{
    struct timespec left = {.tv_sec = (time_t)(ns / 1000000000),
                            .tv_nsec = (long)(ns % 1000000000)};
    while (syscall(SYS_nanosleep, &left, &left) != 0 && errno == EINTR) {
    }
}

static bool others_ran(void)
{
    struct rusage usage = {.ru_nivcsw = 0};
    getrusage(RUSAGE_THREAD, &usage);
    bool ran = usage.ru_nivcsw != turn.lost;
    turn.lost = usage.ru_nivcsw;
    return ran;
}

bool lx_turn(void)
{
    if (turn.left > 0) {
        turn.left--;
        return false;
    }
    uint64_t before = lx_monotonic_ns();
    lx_yield();
    bool wanted = others_ran() && lx_monotonic_ns() - before < SOON_NS;
    turn.skips = wanted ? 0 : 2 * turn.skips + 1;
    turn.skips = turn.skips > SKIPS_MOST ? SKIPS_MOST : turn.skips;
    turn.left = turn.skips;
    return wanted;
}

/* Who waits gives a turn for each look in vain. A program that looks and goes on computing would
 * lose by that, as a turn takes as long as some of its looks and seldom brings what it looks for.
 * So it gives one when it looks in a row, and else now and then, for it may not go on before
 * another one of its processor has run. (Breadth-first search by 4 ranks on 2 processors, an
 * MPI_Iprobe after each MPI_Isend: 0.23 s instead of 0.35.) */
bool lx_turn_shared(bool waits)
{
    uint64_t now = hal_clock_cycles();
    shared.row = now - shared.looked < lx.job->hz / ROW_HZ ? shared.row + 1 : 0;
    shared.looked = now;
    if (!waits && shared.row < ROW && now - shared.given < lx.job->hz / TURNS_HZ)
        return false;
    lx_yield();
    shared.looked = shared.given = hal_clock_cycles();
    return true;
}
