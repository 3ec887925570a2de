/* SPDX-License-Identifier: MIT */
/* Progress while a program computes, on a machine where nothing interrupts it, if
 * LWMPI_ASYNC_PROGRESS says so. A thread of the process sleeps until something comes that cannot
 * wait (the header or the grant of a long message, a round of a nonblocking collective) while no
 * thread of the program is in MPI. It then takes the turn (threads.h) and does what the rank would
 * do if it called MPI.
 *
 *     program   |--- MPI ---| computes ............................ |--- MPI ---|
 *                         away                                     back
 *     helper     asleep ............ told, takes the turn, leaves .. asleep
 *
 * Nobody is told twice or too late: whoever leaves MPI says that it is away while it has the turn,
 * and then looks once more (hal/attend.h). */
#include <pthread.h>
#include <signal.h>

#include <hal/attend.h>
#include <hal/core.h>
#include <mpiutil/boot.h>

#include "helper.h"
#include "image.h"
#include "threads.h"

#define LOOKS 64 /* of a thread that leaves MPI and always finds more; then it is the helper's */

static struct mpu_rank *rank; /* NULL: there is no helper */
static pthread_t helper;
static bool over; /* who has the turn */

static void *help(void *arg)
{
    bool ends = false;
    hal_attend_begin();
    while (!ends) {
        hal_attend_wait();
        image_threads_enter();
        ends = over;
        if (!ends)
            mpu_help(arg);
        image_threads_leave();
    }
    return NULL;
}

/* The program's signals are for its own threads. */
static int begin(struct mpu_rank *r)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&helper, NULL, help, r);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

void image_helper_start(struct mpu_rank *r)
{
    bool possible = image_turns && !image.shared && hal_attend_possible();
    if (!image.helper || !possible || rank != NULL || begin(r) != 0)
        return;
    rank = r;
    image_threads = true;
}

void image_helper_back(void)
{
    if (rank != NULL)
        hal_attend_back();
}

void image_helper_away(void)
{
    if (rank == NULL)
        return;
    for (int i = 0; i < LOOKS; i++) {
        if (hal_attend_away() && !mpu_pending(rank))
            return;
        mpu_help(rank);
    }
    hal_attend_away();
    hal_attend_urge(hal_cluster());
}

void image_helper_stop(void)
{
    if (rank == NULL)
        return;
    image_threads_enter();
    rank = NULL;
    over = true;
    hal_attend_away();
    hal_attend_urge(hal_cluster());
    image_threads_leave();
    pthread_join(helper, NULL);
}
