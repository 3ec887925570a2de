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
#include <process/helper.h>
#include <process/image.h>
#include <process/threads.h>

#define PATIENT 2000 /* turns for nothing, in a row, before a thread that waits sleeps a while */

atomic_bool image_threads;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static bool many;             /* threads of the program may call as they like; constant then */
static atomic_int queue;      /* of these, threads that want the turn */
static atomic_uint turns;     /* given so far */
static pthread_t main_thread; /* the rank's own */

#define OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))
OF_THREAD int depth; /* calls that are not over */
OF_THREAD unsigned int in_vain;

static void take(void)
{
    if (!many) {
        pthread_mutex_lock(&turn);
        return;
    }
    atomic_fetch_add(&queue, 1);
    pthread_mutex_lock(&turn);
    atomic_fetch_sub(&queue, 1);
    atomic_fetch_add(&turns, 1);
}

void image_threads_take(void)
{
    take();
    depth++;
}

void image_threads_give(void)
{
    depth--;
    pthread_mutex_unlock(&turn);
}

static void set_turns(bool helped)
{
    atomic_store_explicit(&image_threads, helped || many, memory_order_relaxed);
}

/* Such ranks take no turns: they have one thread each in MPI, and come here for other things. */
static bool of_one_thread(void)
{
    return image.shared || image_is_virtual();
}

struct image_rank *image_threads_enter(void)
{
    if (image_is_virtual())
        return image_compute_enter();
    if (image.shared)
        return NULL;
    if (depth == 0) {
        image_threads_take();
        image_helper_back();
    } else {
        depth++;
    }
    in_vain = 0;
    return NULL;
}

/* Only a call that is alone may arm the helper. Where calls do not take turns another thread may be
 * inside MPI without the turn, while this call took it because it still had to when it began. */
void image_threads_leave(struct image_rank *r)
{
    if (of_one_thread()) {
        if (image.privately)
            image.privately->back();
        image_compute_leave(r);
        return;
    }
    if (depth == 1 && (many || image_helper_armed()))
        set_turns(image_helper_away());
    if (depth > 1)
        depth--;
    else
        image_threads_give();
}

struct image_rank *image_threads_look(void)
{
    return of_one_thread() ? image_threads_enter() : NULL;
}

void image_threads_looked(struct image_rank *r)
{
    if (of_one_thread())
        image_threads_leave(r);
}

void image_threads_depart(void)
{
    image_threads_take();
    set_turns(image_helper_away());
    image_threads_give();
}

void image_threads_abandon(void)
{
    if (depth > 0)
        pthread_mutex_unlock(&turn);
    depth = 0;
}

/* Nothing has arrived for the rank. A mutex is not fair: whoever wants the turn gets it before the
 * caller has it again. After many turns for nothing the thread sleeps, for 50 us at a time. */
static void give_turn(bool waits)
{
    static const struct timespec nap = {.tv_nsec = 50000};
    if (!waits && atomic_load(&queue) == 0)
        return;
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

/* A function of the program begins inside a call that has the turn. */
static int give_to_all(void)
{
    int was = depth;
    if (was == 0)
        return MPU_CALLBACK_PLAIN; /* a call that only reads has none */
    set_turns(image_helper_away());
    depth = 1;
    image_threads_give();
    return was;
}

/* Where threads of the program take no turns the helper is barred instead, as the call may be one
 * that began without the turn. After a function that does not come back it stays so. */
int mpu_callback_begin(struct mpu_rank *r)
{
    if (of_one_thread()) {
        if (image.privately)
            image.privately->back();
        return image_compute_begin_callback();
    }
    if (r && many)
        return give_to_all();
    if (r)
        mpu_help_bar(r, 1);
    return r ? 0 : MPU_CALLBACK_PLAIN;
}

void mpu_callback_end(struct mpu_rank *r, int was)
{
    if (was == MPU_CALLBACK_PLAIN)
        return;
    if (of_one_thread()) {
        image_compute_end_callback(was);
    } else if (was > 0) {
        image_threads_take();
        image_helper_back();
        depth = was;
    } else {
        mpu_help_bar(r, -1);
    }
}

enum mpu_threads mpu_threads_allow(struct mpu_rank *r, enum mpu_threads wanted)
{
    if (of_one_thread())
        return wanted > MPU_THREADS_OTHERS ? MPU_THREADS_OTHERS : wanted;
    main_thread = pthread_self();
    set_turns(image_helper_allow(r));
    if (!image_turns && wanted > MPU_THREADS_TURNS)
        return MPU_THREADS_TURNS;
    if (wanted == MPU_THREADS_MANY) {
        many = true;
        set_turns(true);
        mpu_set_pause(r, give_turn);
    }
    return wanted;
}

bool mpu_thread_is_main(void)
{
    if (of_one_thread())
        return !mpu_thread_is_foreign();
    return pthread_equal(main_thread, pthread_self());
}
