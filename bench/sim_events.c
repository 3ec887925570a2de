/* SPDX-License-Identifier: MIT */
/* What a timed operation of the simulated machine costs the host: work, lock hand-overs, events,
 * on all 288 cores of mppa256 at once. */
#include <stdio.h>
#include <stdlib.h>

#include <base/config.h>
#include <hal/clock.h>
#include <hal/core.h>
#include <hal/event.h>
#include <hal/hosted.h>
#include <hal/lock.h>
#include <hal/work.h>

#include "sim_bench.h"

#define ROUNDS 4000

struct shared {
    struct hal_lock lock;
    int turn[HAL_CORES_MAX]; /* per pair of cores: which of the two may go on */
};

static struct shared shared[HAL_CLUSTERS_MAX];
static uint64_t operations;

static int cores_here(void)
{
    return hal_machine_cores(hal_machine(), hal_cluster());
}

/* Delays of different lengths, so that cores seldom wake on the same cycle. */
static void delays(void)
{
    unsigned c = (unsigned)(hal_cluster() * 17 + hal_core());
    for (unsigned i = 0; i < ROUNDS; i++)
        hal_work(10 + (c * 7 + i * 13) % 97);
    operations += ROUNDS;
}

/* All cores of a cluster want one lock; each section and each pause is a delay too. */
static void locks(void)
{
    struct hal_lock *l = &shared[hal_cluster()].lock;
    for (int i = 0; i < ROUNDS; i++) {
        hal_lock(l);
        hal_work(10);
        hal_unlock(l);
        hal_work(50 + (unsigned)hal_core() % 7);
    }
    operations += 3 * ROUNDS; /* lock, section, pause */
}

/* Two cores wake each other in turn. */
static void events(void)
{
    int me = hal_core(), other = me ^ 1;
    if (other >= cores_here())
        return;
    int *turn = &shared[hal_cluster()].turn[me / 2];
    for (int i = 0; i < ROUNDS; i++) {
        while (*turn != me % 2)
            hal_event_wait(HAL_NEVER);
        hal_work(5);
        *turn = 1 - me % 2;
        hal_event_notify(other);
    }
    operations += 2 * ROUNDS; /* work, notify and wait */
}

static const struct kind {
    const char *name;
    void (*body)(void);
} kinds[] = {{"work", delays}, {"lock", locks}, {"event", events}};

static void core_main(void *arg)
{
    const struct kind *k = arg;
    k->body();
    shared[hal_cluster()].turn[HAL_CORES_MAX - 1]++;
    hal_event_notify(0);
}

static void boot(void *arg)
{
    struct shared *s = &shared[hal_cluster()];
    *s = (struct shared){.turn = {0}};
    hal_lock_init(&s->lock, "bench");
    for (int i = 1; i < cores_here(); i++)
        hal_core_start(i, core_main, arg);
    core_main(arg);
    while (s->turn[HAL_CORES_MAX - 1] < cores_here())
        hal_event_wait(HAL_NEVER);
}

int main(void)
{
    struct hal_machine m;
    struct hal_options o;
    bench_load("mppa256", &m, &o);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        double rates[BENCH_RUNS];
        for (int i = 0; i < BENCH_RUNS; i++) {
            operations = 0;
            double seconds = bench_run(&m, &o, boot, (void *)&kinds[k]);
            rates[i] = (double)operations / seconds / 1e6;
        }
        printf("sim.%s,%.2f,million timed operations per CPU second,>= 5\n", kinds[k].name,
               bench_median(rates, BENCH_RUNS));
    }
    return 0;
}
