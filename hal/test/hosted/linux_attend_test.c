/* SPDX-License-Identifier: MIT */
/* hal/linux/attend.c: nothing urgent is lost, whenever it is sent, the core goes away and the
 * helper falls asleep. The helper's naps take no time here: it falls asleep again and again; they
 * would be the longer the more cores share a processor. */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <base/mem.h>
#include <hal/attend.h>
#include <test/check.h>

#include "../../linux/port.h"

enum { ROUNDS = 50000, PATIENCE_S = 20, LATEST = 1500, SHARE = 3, AGAIN = 50000 };

struct lx_port lx;

static atomic_int sent, looked, round_now;
static atomic_bool over;

bool lx_futex_wait(atomic_uint *word, unsigned value, uint64_t until_ns)
{
    (void)until_ns;
    return syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0) == 0;
}

void lx_futex_wake(atomic_uint *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void lx_nap(uint64_t ns)
{
    CHECK(ns >= SHARE * AGAIN);
}

void lx_core_roam(void)
{
}

static void *help(void *arg)
{
    (void)arg;
    hal_attend_begin();
    while (!atomic_load(&over)) {
        hal_attend_wait();
        atomic_store(&looked, atomic_load(&sent));
    }
    return NULL;
}

static void delay(int n)
{
    for (volatile int i = 0; i < n; i++) {
    }
}

/* False: for too long. */
static bool until(atomic_int *what, int value)
{
    time_t end = time(NULL) + PATIENCE_S;
    for (long i = 1; atomic_load(what) < value; i++) {
        if (i % 1000 == 0 && time(NULL) > end)
            return false;
        if (i % 100 == 0)
            sched_yield();
    }
    return true;
}

static void *peer(void *arg)
{
    unsigned seed = 1;
    (void)arg;
    for (int i = 1; i <= ROUNDS; i++) {
        until(&round_now, i);
        delay(rand_r(&seed) % LATEST);
        atomic_store(&sent, i);
        hal_attend_urge(0);
    }
    return NULL;
}

int main(void)
{
    pthread_t helper, sender;
    unsigned seed = 2;
    lx.share = SHARE;
    lx.job = calloc(1, sizeof *lx.job);
    lx.self = aligned_alloc(LX_LINE, sizeof *lx.self);
    CHECK(lx.job && lx.self);
    memset(lx.self, 0, sizeof *lx.self);
    lx.job->cluster_at = (uint64_t)((char *)lx.self - (char *)lx.job);
    pthread_create(&helper, NULL, help, NULL);
    pthread_create(&sender, NULL, peer, NULL);
    for (int i = 1; i <= ROUNDS; i++) {
        atomic_store(&round_now, i);
        delay(rand_r(&seed) % LATEST);
        hal_attend_away();
        CHECK(until(&looked, i)); /* the helper was told */
        hal_attend_back();
    }
    atomic_store(&over, true);
    hal_attend_away();
    hal_attend_urge(0);
    pthread_join(sender, NULL);
    pthread_join(helper, NULL);
    return 0;
}
