/* SPDX-License-Identifier: MIT */
/* A thread that the program made has no place in a machine of cores. Where the process is one rank
 * it is that rank's; where several share it, the thread that makes one passes on what it knows. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <base/error.h>
#include <base/fmt.h>
#include <base/here.h>
#include <mpiutil/boot.h>
#include <mpiutil/rank.h>
#include <process/image.h>
#include <process/parent.h>
#include <sys/k_info.h>

/* Of the only rank; where several share the process, of no rank. */
static struct mpu_public only = {.who = "no rank"};

/* By rank, where several share the process. Never freed: threads may outlive the machine. */
static struct mpu_public *ranks;

static _Thread_local struct mpu_public *parent __attribute__((tls_model("initial-exec")));

int image_parent_prepare(void)
{
    if (image.shared && !ranks)
        ranks = calloc((size_t)svc_spawn_total(&image.job), sizeof *ranks);
    return image.shared && !ranks ? -B_ENOMEM : 0;
}

void image_parent_begin(int rank)
{
    struct mpu_public *p = mpu_public();
    b_fmt(p->who, sizeof p->who, "rank %d", rank);
}

struct mpu_public *mpu_public(void)
{
    const struct mpu_rank *r = image.shared ? mpu_self() : NULL;
    return r ? &ranks[mpu_rank_number(r)] : parent ? parent : &only;
}

bool mpu_thread_is_foreign(void)
{
    bool runs = image.process != 0 && !image.over;
    return runs && (image.shared || image_is_virtual()) && !b_here;
}

struct mpu_rank *mpu_thread_acts_for(void)
{
    return mpu_thread_is_foreign() ? NULL : k_thread_local_asked();
}

/* What a thread begins with: one of `posix` and `c11`. */
struct start {
    struct start *next;
    struct mpu_public *parent;
    void *(*posix)(void *);
    thrd_start_t c11;
    void *arg;
};

/* Those that began. Who makes the next thread frees them: a thread that begins is not known yet to
 * a sanitizer of threads, which stands in front of malloc, too. */
static _Atomic(struct start *) begun;

static struct start *start_new(const struct start *s)
{
    struct start *old = atomic_exchange(&begun, NULL), *copy = malloc(sizeof *copy);
    while (old) {
        struct start *next = old->next;
        free(old);
        old = next;
    }
    if (copy)
        *copy = *s;
    return copy;
}

/* The sanitizer knows the thread when `posix` runs, which is a function of its own then. */
#define NOT_WATCHED __attribute__((no_sanitize("thread")))

static NOT_WATCHED struct start begin(struct start *memory)
{
    struct start s = *memory;
    memory->next = atomic_load_explicit(&begun, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&begun, &memory->next, memory))
        ;
    parent = s.parent;
    return s;
}

static NOT_WATCHED void *begin_posix(void *memory)
{
    struct start s = begin(memory);
    return s.posix(s.arg);
}

static NOT_WATCHED int begin_c11(void *memory)
{
    struct start s = begin(memory);
    return s.c11(s.arg);
}

int image_parent_pthread(image_pthread_create *next, pthread_t *thread,
                         const pthread_attr_t *attributes, void *(*run)(void *), void *arg)
{
    if (mpu_public() == &only)
        return next(thread, attributes, run, arg);
    struct start *s = start_new(&(struct start){NULL, mpu_public(), run, NULL, arg});
    int e = s ? next(thread, attributes, begin_posix, s) : EAGAIN;
    if (e != 0)
        free(s);
    return e;
}

int image_parent_thrd(image_thrd_create *next, thrd_t *thread, thrd_start_t run, void *arg)
{
    if (mpu_public() == &only)
        return next(thread, run, arg);
    struct start *s = start_new(&(struct start){NULL, mpu_public(), NULL, run, arg});
    int e = s ? next(thread, begin_c11, s) : thrd_nomem;
    if (e != thrd_success)
        free(s);
    return e;
}
