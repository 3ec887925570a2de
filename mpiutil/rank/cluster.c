/* SPDX-License-Identifier: MIT */
#include <stdint.h>

#include <base/error.h>
#include <base/mem.h>

#include "progress/cell.h"
#include "progress/credit.h"
#include "progress/lane.h"
#include "proto/hold.h"
#include "proto/proto.h"
#include "rank/rank.h"

struct svc_place mpu_place(const struct mpu_cluster *c, int rank)
{
    return svc_spawn_place(c->job, rank, c->info.compute_clusters, c->info.user_core,
                           c->info.cores);
}

/* Both mappings fill clusters 0 .. n-1; a rank beside the world is behind them. */
static int clusters_with_ranks(const struct svc_job *job, int clusters)
{
    int n = 0;
    while (n < clusters && svc_spawn_count(job, n, clusters) > 0)
        n++;
    return n + (job->io_cluster != 0);
}

int mpu_cluster_at(const struct mpu_cluster *c, int i)
{
    return c->job->io_cluster != 0 && i == c->clusters - 1 ? c->job->io_cluster : i;
}

int mpu_cluster_index(const struct mpu_cluster *c)
{
    return c->info.cluster < c->info.compute_clusters ? c->info.cluster : c->clusters - 1;
}

static size_t aligned(size_t at)
{
    return (at + KERN_LINE - 1) / KERN_LINE * KERN_LINE;
}

static uint32_t tuned(const struct mpu_cluster *c, enum mpu_tune_id id)
{
    uint32_t tune[MPU_TUNES];
    mpu_tunes_init(tune, &c->info, &c->tuning);
    return tune[id];
}

/* Bytes of the lines of each core; 0 where no rank has a neighbour on another core. */
static uint32_t lane_lines(const struct mpu_cluster *c)
{
    return c->locals > 1 && c->info.cores - c->info.user_core > 1 ? tuned(c, MPU_TUNE_LANE_BYTES)
                                                                  : 0;
}

static void lanes_init(struct mpu_cluster *c, uint8_t *memory, uint32_t lines, size_t limit)
{
    for (int i = 0; lines && i < c->info.cores; i++) {
        c->cores[i].lane =
            (struct mpu_lane *)(memory + (size_t)i * mpu_lane_bytes(lines, c->local_cell));
        mpu_lane_init(c->cores[i].lane, lines, c->local_cell,
                      mpu_cell_local_pages(c->info.cores, limit));
    }
}

/* Begins the ranks' heaps, and behind them their peers. */
static void make_ranks(struct mpu_cluster *c, uint8_t *heaps)
{
    struct mpu_peer *peer = (struct mpu_peer *)(heaps + (size_t)c->locals * MPU_HEAP_FIRST);
    for (int i = 0; i < c->locals; i++) {
        c->ranks[i].cluster = c;
        mpu_heap_begin(&c->ranks[i].heap, heaps + (size_t)i * MPU_HEAP_FIRST, i);
        c->ranks[i].peers = c->network ? peer + (size_t)i * (size_t)svc_spawn_total(c->job) : NULL;
    }
}

size_t mpu_rank_bytes(const struct mpu_cluster *c)
{
    size_t peers = c->network ? (size_t)svc_spawn_total(c->job) : 0;
    return sizeof(struct mpu_rank) + MPU_HEAP_FIRST + peers * sizeof(struct mpu_peer);
}

/* Where each part lies behind the cluster `like`: its ranks, their heaps and peers, cores, lanes,
 * slots, askers, places. If `c`, which is the same cluster in its place, they are made. Returns the
 * bytes of all. */
static size_t lay_out(struct mpu_cluster *c, const struct mpu_cluster *like, size_t limit)
{
    uint32_t lines = lane_lines(like);
    size_t ranks = aligned(sizeof(struct mpu_cluster));
    size_t heaps = ranks + (size_t)like->locals * sizeof(struct mpu_rank);
    size_t at = aligned(ranks + (size_t)like->locals * mpu_rank_bytes(like));
    size_t lanes = at + (size_t)like->info.cores * sizeof(struct mpu_core);
    size_t slots = lanes + (size_t)like->info.cores * mpu_lane_bytes(lines, like->local_cell);
    size_t askers = slots + (size_t)mpu_extras(like).slots * sizeof(struct mpu_slot);
    int asking = mpu_askers(like) > 0 ? mpu_askers(like) : 0;
    size_t here = askers + (size_t)asking * sizeof(struct mpu_asker);
    if (c) {
        c->ranks = (struct mpu_rank *)((uint8_t *)c + ranks);
        c->cores = (struct mpu_core *)((uint8_t *)c + at);
        c->slots = (struct mpu_slot *)((uint8_t *)c + slots);
        c->askers = (struct mpu_asker *)((uint8_t *)c + askers);
        for (int i = 0; i < asking; i++)
            k_mutex_init(&c->askers[i].mutex);
        c->here = (struct mpu_here *)((uint8_t *)c + here);
        make_ranks(c, (uint8_t *)c + heaps);
        lanes_init(c, (uint8_t *)c + lanes, lines, limit);
    }
    return here + (size_t)svc_spawn_total(like->job) * sizeof(struct mpu_here);
}

static void find_neighbours(struct mpu_cluster *c)
{
    for (int i = 0; i < svc_spawn_total(c->job); i++) {
        struct svc_place p = mpu_place(c, i);
        bool here = p.cluster == c->info.cluster;
        c->here[i] = (struct mpu_here){.local = (int16_t)(here ? p.local : -1),
                                       .core = (int16_t)(here ? p.core : -1)};
        if (here) {
            c->ranks[p.local].core = p.core;
            c->ranks[p.local].at_core = &c->cores[p.core];
        }
    }
}

static const struct mpu_set *const sets[] = {&mpu_adaptive, &mpu_paper_unopt, &mpu_paper_opt};

int mpu_cluster_init(const struct svc_job *job, const struct mpu_tuning *tuning)
{
    struct mpu_cluster made = {.job = job, .tuning = *tuning, .traced = k_traced()};
    k_info(&made.info);
    int compute = made.info.compute_clusters;
    int locals = made.locals = svc_spawn_count(job, made.info.cluster, compute);
    if (locals > made.info.mailbox_ports || 2 * locals > made.info.portal_ports ||
        locals > INT16_MAX)
        return -B_ENOMEM;
    made.set = MPU_SETS > 1 ? sets[tuning->value[MPU_TUNE_PROTOCOLS]] : &mpu_adaptive;
    made.local_cell = mpu_cell_local_bytes(tuned(&made, MPU_TUNE_LOCAL_LIMIT));
    made.clusters = clusters_with_ranks(job, compute);
    made.network = made.clusters > 1 || mpu_extras(&made).network;
    void *memory;
    int rc = k_page_alloc(lay_out(NULL, &made, 0), &memory);
    if (rc)
        return rc;
    k_board(&made.board);
    size_t used, high, limit;
    k_memory(&used, &high, &limit);
    made.window = mpu_credit_window(job, locals, limit);
    made.announce = mpu_hold_window(job, locals, limit);
    made.local_blocks = mpu_cell_local_blocks(locals, limit);
    struct mpu_cluster *c = memory;
    *c = made;
    lay_out(c, c, limit);
    find_neighbours(c);
    k_cluster_local_set(c);
    return 0;
}

/* Its own memory goes with the cluster, which ends: other cores may still hold the bells of ranks
 * that ended. */
void mpu_cluster_fini(void)
{
    mpu_halls_free(mpu_cluster());
    k_cluster_local_set(NULL);
}
