/* SPDX-License-Identifier: MIT */
/* A word that a thread waits for as ranks do (k_board_watch): the kernel looks at it when somebody
 * tells it to, and wakes the thread if it has changed by then. A telling that comes too early is
 * lost. */
#ifndef MPIUTIL_TEST_WATCHED_H
#define MPIUTIL_TEST_WATCHED_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <test/check.h>

#define WATCH_SECONDS 20 /* who is not woken by then never is */

struct watched {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const _Atomic(uint32_t) *word; /* NULL: nobody waits */
    uint32_t value;
};
#define WATCHED_INIT                                                                               \
    {                                                                                              \
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0                               \
    }

static inline void watched_tell(struct watched *w)
{
    pthread_mutex_lock(&w->lock);
    if (w->word && atomic_load(w->word) != w->value) {
        w->word = NULL;
        pthread_cond_signal(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
}

static inline void watched_wait(struct watched *w, const _Atomic(uint32_t) *word, uint32_t value)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += WATCH_SECONDS;
    pthread_mutex_lock(&w->lock);
    w->word = atomic_load(word) != value ? NULL : word;
    w->value = value;
    while (w->word)
        CHECK_EQ(pthread_cond_timedwait(&w->changed, &w->lock, &end), 0);
    pthread_mutex_unlock(&w->lock);
}

#endif
