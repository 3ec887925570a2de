/* SPDX-License-Identifier: MIT */
/* Placement, exhaustively for small machines: every rank has exactly one place, every place at
 * most one rank, and all the functions agree. */
#include <limits.h>
#include <string.h>

#include <base/error.h>
#include <svc/spawn.h>
#include <test/check.h>

enum { CLUSTERS = 18, PER = 17, FIRST_CORE = 1, CORES = 17 };

static void check_job(const struct svc_job *job, int clusters)
{
    static char taken[CLUSTERS][PER];
    memset(taken, 0, sizeof taken);
    for (int rank = 0; rank < job->ranks; rank++) {
        struct svc_place p = svc_spawn_place(job, rank, clusters, FIRST_CORE, CORES);
        CHECK(p.cluster >= 0 && p.cluster < clusters);
        CHECK(p.local >= 0 && p.local < job->per_cluster);
        CHECK(p.core >= FIRST_CORE && p.core < CORES);
        CHECK(!taken[p.cluster][p.local]);
        taken[p.cluster][p.local] = 1;
        CHECK_EQ(svc_spawn_rank(job, p.cluster, p.local, clusters), rank);
    }
    int sum = 0;
    for (int c = 0; c < clusters; c++) {
        int count = svc_spawn_count(job, c, clusters);
        for (int i = 0; i < job->per_cluster; i++)
            CHECK_EQ(taken[c][i], i < count); /* the local numbers of a cluster have no holes */
        sum += count;
    }
    CHECK_EQ(sum, job->ranks);
    CHECK_EQ(svc_spawn_count(job, clusters, clusters), 0); /* an I/O cluster */
}

static void check_small_machines(enum svc_map map)
{
    for (int clusters = 1; clusters < CLUSTERS; clusters++) {
        for (int per = 1; per <= PER; per++) {
            for (int ranks = 1; ranks <= clusters * per; ranks++) {
                struct svc_job job = {.ranks = ranks, .per_cluster = per, .map = map};
                int most;
                CHECK_EQ(svc_spawn_check(&job, clusters, &most), 0);
                check_job(&job, clusters);
            }
        }
    }
}

/* uller-2021, figure 17: 14 ranks on 6 clusters of 4 PEs. */
static void check_figure(void)
{
    static const int compact[6] = {4, 4, 4, 2, 0, 0}, scatter[6] = {3, 3, 2, 2, 2, 2};
    struct svc_job job = {.ranks = 14, .per_cluster = 4, .map = SVC_MAP_COMPACT};
    for (int c = 0; c < 6; c++) {
        job.map = SVC_MAP_COMPACT;
        CHECK_EQ(svc_spawn_count(&job, c, 6), compact[c]);
        job.map = SVC_MAP_SCATTER;
        CHECK_EQ(svc_spawn_count(&job, c, 6), scatter[c]);
        CHECK_EQ(svc_spawn_rank(&job, c, 0, 6), c);
    }
    CHECK_EQ(svc_spawn_place(&job, 13, 6, 0, 4).cluster, 1);
}

/* Ranks share cores in turn when there are more of them than cores. */
static void check_cores(void)
{
    struct svc_job job = {.ranks = 12, .per_cluster = 12, .map = SVC_MAP_COMPACT};
    int load[4] = {0};
    for (int rank = 0; rank < 12; rank++)
        load[svc_spawn_place(&job, rank, 1, 1, 4).core]++;
    CHECK_EQ(load[0], 0);
    CHECK(load[1] == 4 && load[2] == 4 && load[3] == 4);
}

static void check_bad(void)
{
    enum svc_map map;
    int most;
    CHECK_EQ(svc_map_parse("compact", &map), 0);
    CHECK_EQ(map, SVC_MAP_COMPACT);
    CHECK_EQ(svc_map_parse("scatter", &map), 0);
    CHECK_EQ(map, SVC_MAP_SCATTER);
    const char *bad[] = {"", "compac", "compactt", "Compact", NULL};
    for (int i = 0; i < 5; i++)
        CHECK_EQ(svc_map_parse(bad[i], &map), -B_EINVAL);
    CHECK_EQ(
        svc_spawn_check(&(struct svc_job){.ranks = 193, .per_cluster = 12, .map = SVC_MAP_COMPACT},
                        16, &most),
        -B_ERANGE);
    CHECK_EQ(most, 192);
    CHECK_EQ(
        svc_spawn_check(&(struct svc_job){.ranks = 0, .per_cluster = 12, .map = SVC_MAP_COMPACT},
                        16, &most),
        -B_ERANGE);
    CHECK_EQ(
        svc_spawn_check(&(struct svc_job){.ranks = 1, .per_cluster = 0, .map = SVC_MAP_SCATTER}, 16,
                        &most),
        -B_ERANGE);
    CHECK_EQ(most, 0);
    CHECK_EQ(svc_spawn_check(
                 &(struct svc_job){.ranks = 1, .per_cluster = INT_MAX, .map = SVC_MAP_SCATTER}, 16,
                 &most),
             0);
    CHECK_EQ(most, INT_MAX);
}

int main(void)
{
    check_small_machines(SVC_MAP_COMPACT);
    check_small_machines(SVC_MAP_SCATTER);
    check_figure();
    check_cores();
    check_bad();
    return 0;
}
