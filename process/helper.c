/* SPDX-License-Identifier: MIT */
/* Progress while a program computes, on a machine where nothing interrupts it. A thread of the
 * process sleeps until something comes that cannot wait (the header or the grant of a long message,
 * a round of a nonblocking collective) while no thread of the program is in MPI. It then takes the
 * turn (threads.h) and does what the rank would do if it called MPI.
 *
 *     program   |-- Isend --| computes ............................ |-- Wait --| computes
 *                   asked  armed, away                              back     disarmed
 *     helper                 asleep ....... told, takes the turn .. asleep
 *
 * To take the turn costs each call something, so the helper is armed only while something is under
 * way that it may have to see to (mpiutil/help.h): from the end of the call that started it to the
 * end of the first call after which there is no such thing. The thread is made when it is armed for
 * the first time. With LWMPI_ASYNC_PROGRESS=1 it always is, and then functions of the program may
 * run on it; with 0 never.
 *
 * Nobody is told twice or too late: whoever leaves MPI says that it is away while it has the turn,
 * and tells the helper of what was sent before (hal/attend.h). */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>

#include <hal/attend.h>
#include <hal/core.h>
#include <mpiutil/help.h>
#include <process/helper.h>
#include <process/image.h>
#include <process/threads.h>

#define ABOVE ((128 << 10) - 1) /* bytes; to copy so many takes 6 us, the turns 0.4 us */

struct mpu_help image_help = {.above = ABOVE};

static struct mpu_rank *rank; /* NULL: there can be no helper */
static pthread_t helper;
static bool runs; /* the thread */

/* Who has the turn: */
static bool armed;
static bool over;

/* The rank is out of MPI. What came meanwhile is for its next call, or for the helper if that takes
 * long: to see to it here would keep the program from its next call, which others may wait for. */
static void away(void)
{
    hal_attend_away();
    if (mpu_help_pending(rank))
        hal_attend_urge(hal_cluster());
}

static void *help(void *arg)
{
    bool ends = false;
    hal_attend_begin();
    while (!ends) {
        hal_attend_wait();
        image_threads_take();
        ends = over;
        if (armed && !ends) {
            hal_attend_back();
            mpu_help_give(arg);
            away();
        } else {
            hal_attend_urge(hal_cluster()); /* it was told in vain: whoever goes away next looks */
        }
        image_threads_give();
    }
    return NULL;
}

/* The program's signals are for its own threads. If the host gives no thread, there is none. */
static bool begin(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    runs = pthread_create(&helper, NULL, help, rank) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!runs)
        rank = NULL;
    return runs;
}

bool image_helper_allow(struct mpu_rank *r)
{
    bool possible = !image.shared && hal_attend_possible();
    if (image.help == IMAGE_HELP_NEVER || !possible || rank)
        return armed;
    rank = r;
    mpu_help_from(r, &image_help);
    if (image.help == IMAGE_HELP_ALWAYS)
        armed = begin();
    return armed;
}

bool image_helper_armed(void)
{
    return armed;
}

void image_helper_back(void)
{
    if (armed)
        hal_attend_back();
}

bool image_helper_away(void)
{
    image_help.asked = false;
    armed = rank && (image.help == IMAGE_HELP_ALWAYS || mpu_help_needed(rank)) && (runs || begin());
    if (armed)
        away();
    return armed;
}

/* Ranks that share a process come here beside each other; they only read. */
void image_helper_stop(void)
{
    image_threads_abandon();
    if (!rank)
        return;
    if (runs) {
        image_threads_take();
        over = true;
        armed = false;
        hal_attend_away();
        hal_attend_urge(hal_cluster());
        image_threads_give();
        pthread_join(helper, NULL);
        runs = false;
    }
    rank = NULL;
}
