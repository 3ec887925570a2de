/* SPDX-License-Identifier: MIT */
/* A thread of the host that the program made stands on core 0 like the rank's own thread
 * (hal/core.h: a thread that is no core reads 0), so it can do whatever the rank can do, one at a
 * time. With MPI_THREAD_SERIALIZED the program sees to that; with MPI_THREAD_MULTIPLE it is done
 * here. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include <mpiutil/boot.h>
#include <mpiutil/message.h>

#include "helper.h"
#include "image.h"
#include "threads.h"

#define PATIENT 2000 /* turns for nothing, in a row, before a thread that waits sleeps a while */

bool image_threads;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static atomic_int queue;      /* threads that want the turn */
static atomic_uint turns;     /* given so far */
static pthread_t main_thread; /* the rank's own */

static _Thread_local int depth; /* calls of the thread that are not over */
static _Thread_local unsigned int in_vain;

static void take(void)
{
    atomic_fetch_add(&queue, 1);
    pthread_mutex_lock(&turn);
    atomic_fetch_sub(&queue, 1);
    atomic_fetch_add(&turns, 1);
}

void image_threads_enter(void)
{
    if (image.shared)
        return;
    if (depth++ == 0) {
        take();
        image_helper_back();
    }
    in_vain = 0;
}

void image_threads_leave(void)
{
    if (image.shared) {
        if (image.privately != NULL)
            image.privately->back();
        return;
    }
    if (depth == 1)
        image_helper_away();
    if (--depth == 0)
        pthread_mutex_unlock(&turn);
}

/* Nothing has arrived for the rank. A mutex is not fair: whoever wants the turn gets it before the
 * caller has it again. After many turns for nothing the thread sleeps, for 50 us at a time. */
static void give_turn(void)
{
    static const struct timespec nap = {.tv_nsec = 50000};
    unsigned int mine = atomic_load(&turns);
    pthread_mutex_unlock(&turn);
    if (++in_vain > PATIENT)
        nanosleep(&nap, NULL);
    else
        sched_yield();
    while (atomic_load(&queue) > 0 && atomic_load(&turns) == mine)
        sched_yield();
    take();
}

enum mpu_threads mpu_threads_allow(struct mpu_rank *r, enum mpu_threads wanted)
{
    if (image.shared)
        return wanted > MPU_THREADS_OTHERS ? MPU_THREADS_OTHERS : wanted;
    main_thread = pthread_self();
    image_helper_start(r);
    if (!image_turns && wanted > MPU_THREADS_TURNS)
        return MPU_THREADS_TURNS;
    if (wanted == MPU_THREADS_MANY) {
        image_threads = true;
        mpu_set_pause(r, give_turn);
    }
    return wanted;
}

bool mpu_thread_is_main(void)
{
    return image.shared || pthread_equal(main_thread, pthread_self());
}
