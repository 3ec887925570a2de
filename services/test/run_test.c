/* SPDX-License-Identifier: MIT */
/* Ranks of a cluster: each runs once, on the core of its place; the status of the first that
 * failed; too many for the cluster's memory: none runs. */
#include <sys/k_info.h>
#include <sys/k_thread.h>
#include <svc/spawn.h>

#include <test/on_machine.h>

enum { RANKS = 10 };

struct seen {
    int runs[RANKS];
    int fail;
};

static int rank_main(int rank, void *arg)
{
    struct seen *s = arg;
    struct k_info info;
    k_info(&info);
    struct svc_job job = {.ranks = RANKS, .per_cluster = RANKS, .map = SVC_MAP_COMPACT};
    struct svc_place place = svc_spawn_place(&job, rank, 1, info.user_core, info.cores);
    CHECK_EQ(place.core, info.core);
    s->runs[rank]++;
    k_thread_yield();
    return rank >= s->fail ? 100 + rank : 0;
}

static int never(int rank, void *arg)
{
    (void)rank, (void)arg;
    CHECK(!"a rank of an incomplete job ran");
    return 0;
}

static int body(void *arg)
{
    (void)arg;
    struct seen s = {.fail = RANKS};
    struct svc_job job = {.ranks = RANKS, .per_cluster = RANKS, .map = SVC_MAP_SCATTER};
    CHECK_EQ(svc_spawn_run(&job, rank_main, &s), 0);
    s.fail = 4;
    CHECK_EQ(svc_spawn_run(&job, rank_main, &s), 104);
    for (int i = 0; i < RANKS; i++)
        CHECK_EQ(s.runs[i], 2);
    size_t before, after;
    k_memory(&before, NULL, NULL);
    struct svc_job big = {.ranks = 5000, .per_cluster = 5000, .map = SVC_MAP_COMPACT};
    CHECK_EQ(svc_spawn_run(&big, never, NULL), -B_ENOMEM);
    k_memory(&after, NULL, NULL);
    CHECK_EQ(after, before);
    return 0;
}

int main(void)
{
    return on_machines(body);
}
