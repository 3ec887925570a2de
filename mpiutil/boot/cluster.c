/* SPDX-License-Identifier: MIT */
#include <stdint.h>

#include <base/error.h>

#include "boot/boot.h"
#include "protocol/protocol.h"
#include "segment/cluster.h"
#include "transport/cell.h"
#include "transport/credit.h"
#include "transport/lane.h"
#include "transport/transport.h"

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

/* Bytes of the entries of each core's ring in the cluster's own memory: none where no rank has a
 * neighbour on another core, or where the ring lies in memory that clusters share. */
static uint32_t own_entries(const struct mpu_cluster *c)
{
    bool needed = c->locals > 1 && c->info.cores - c->info.user_core > 1 && !c->places.at;
    return needed && c->info.copies_free ? c->tune[MPU_TUNE_LANE_BYTES] : 0;
}

/* Memory of a core's lane, and of its ring if that is the cluster's own. */
static size_t lane_bytes(const struct mpu_cluster *c)
{
    size_t ring = mpu_ring_bytes(own_entries(c));
    return ring || c->places.at ? mpu_lines(sizeof(struct mpu_lane)) + mpu_lines(ring) : 0;
}

static void lane_init(struct mpu_cluster *c, int core, uint8_t *memory)
{
    struct mpu_core *k = &c->cores[core];
    int number = mpu_place_number(&c->places, c->info.cluster, core);
    struct mpu_ring *ring = c->places.at
                                ? mpu_place_ring(&c->places, number)
                                : (struct mpu_ring *)(memory + mpu_lines(sizeof(struct mpu_lane)));
    k->lane = (struct mpu_lane *)memory;
    mpu_ring_init(ring, c->tune[MPU_TUNE_LANE_BYTES]);
    k->lane->ring = ring;
    if (c->places.at) {
        mpu_ring_own(ring);
        k->slab =
            (struct mpu_slab){.at = mpu_place_slab(&c->places, number), .shape = &c->places.shape};
    }
}

/* Begins the ranks' heaps, and behind them their peers. */
static void make_ranks(struct mpu_cluster *c, uint8_t *heaps)
{
    struct mpu_peer *peer = (struct mpu_peer *)(heaps + (size_t)c->locals * MPU_HEAP_FIRST);
    for (int i = 0; i < c->locals; i++) {
        c->ranks[i].cluster = c;
        mpu_heap_begin(&c->ranks[i].heap, heaps + (size_t)i * MPU_HEAP_FIRST, i);
        c->ranks[i].credit.peers =
            c->transport ? peer + (size_t)i * (size_t)svc_spawn_total(c->job) : NULL;
    }
}

size_t mpu_rank_bytes(const struct mpu_cluster *c)
{
    size_t peers = c->transport ? (size_t)svc_spawn_total(c->job) : 0;
    return sizeof(struct mpu_rank) + MPU_HEAP_FIRST + peers * sizeof(struct mpu_peer);
}

/* Where each part lies behind the cluster `like`: its ranks, their heaps and peers, cores, lanes,
 * slots, askers, places. If `c`, which is the same cluster in its place, they are made. Returns the
 * bytes of all. */
static size_t lay_out(struct mpu_cluster *c, const struct mpu_cluster *like)
{
    size_t lane = lane_bytes(like);
    size_t ranks = mpu_lines(sizeof(struct mpu_cluster));
    size_t heaps = ranks + (size_t)like->locals * sizeof(struct mpu_rank);
    size_t at = mpu_lines(ranks + (size_t)like->locals * mpu_rank_bytes(like));
    size_t lanes = mpu_lines(at + (size_t)like->info.cores * sizeof(struct mpu_core));
    size_t slots = lanes + (size_t)like->info.cores * lane;
    size_t askers = slots + (size_t)like->set->slots * sizeof(struct mpu_slot);
    const struct mpu_names *names = like->set->looks_up;
    int asking = names && names->askers(like) > 0 ? names->askers(like) : 0;
    size_t endpoints = askers + (size_t)asking * sizeof(struct mpu_asker);
    if (c) {
        c->ranks = (struct mpu_rank *)((uint8_t *)c + ranks);
        c->cores = (struct mpu_core *)((uint8_t *)c + at);
        c->slots = like->set->slots ? (struct mpu_slot *)((uint8_t *)c + slots) : NULL;
        c->askers = (struct mpu_asker *)((uint8_t *)c + askers);
        for (int i = 0; i < asking; i++)
            k_mutex_init(&c->askers[i].mutex);
        c->endpoint = (struct mpu_endpoint *)((uint8_t *)c + endpoints);
        make_ranks(c, (uint8_t *)c + heaps);
        for (int i = 0; lane && i < c->info.cores; i++)
            lane_init(c, i, (uint8_t *)c + lanes + (size_t)i * lane);
    }
    return endpoints + (size_t)svc_spawn_total(like->job) * sizeof(struct mpu_endpoint);
}

static void find_ranks(struct mpu_cluster *c)
{
    for (int i = 0; i < svc_spawn_total(c->job); i++) {
        struct svc_place p = svc_spawn_place(c->job, i, c->info.compute_clusters, c->info.user_core,
                                             c->info.compute_cores);
        bool here = p.cluster == c->info.cluster;
        if (c->fullest <= p.local)
            c->fullest = p.local + 1;
        c->endpoint[i] = (struct mpu_endpoint){.here = (int16_t)(here ? p.local : -1),
                                               .local = (int16_t)p.local,
                                               .core = (int16_t)p.core,
                                               .cluster = (int16_t)p.cluster};
        if (here) {
            c->ranks[p.local].core = p.core;
            c->ranks[p.local].at_core = &c->cores[p.core];
            c->cores[p.core].ranks++;
        }
    }
}

/* How ranks of different clusters reach each other, and by which protocols: those of the paper are
 * for the network on chip. -B_ENOSYS: the program has not those that it would take. */
static int choose_transport(struct mpu_cluster *c)
{
    const struct mpu_sets *sets = &c->has;
    uint32_t words = c->tune[MPU_TUNE_PROTOCOLS];
    c->set = words > 0 ? sets->paper[words - 1] : sets->memory ? sets->memory : sets->noc;
    if (!c->set)
        return -B_ENOSYS;
    c->streams = c->info.copies_free;
    bool apart = !c->set->route[MPU_SAME_CORE].try_now; /* neighbours send as others do */
    if (c->clusters <= 1 && !apart)
        return 0;
    if (sets->memory && words == 0 && c->info.copies_free && c->board.at)
        c->places =
            mpu_places(&c->info, svc_spawn_total(c->job), c->tune[MPU_TUNE_LANE_BYTES], &c->board);
    if (!c->places.at) {
        c->streams = false;
        c->set = words > 0 ? c->set : sets->noc;
    }
    if (!c->set)
        return -B_ENOSYS;
    c->transport = c->set->transport;
    c->eager_most = c->places.at ? (uint32_t)c->places.shape.payload : MPU_EAGER_MAX;
    return 0;
}

/* Where processes have several ranks on a core, these wait for each other as cores do that
 * share a processor, and what is best there is best here. That was measured on linux; bare metal,
 * whose cores do not nap, goes on as if each rank had a core. */
static bool ranks_share_cores(const struct mpu_cluster *c)
{
    int cores = c->info.compute_clusters * c->info.compute_cores;
    return c->info.naps && c->clusters > 1 && svc_spawn_total(c->job) > cores;
}

int mpu_cluster_init(const struct svc_job *job, const struct mpu_tuning *tuning,
                     const struct mpu_sets *sets)
{
    struct mpu_cluster made = {.job = job, .has = *sets, .traced = k_traced()};
    k_info(&made.info);
    k_board(&made.board);
    int compute = made.info.compute_clusters;
    made.clusters = clusters_with_ranks(job, compute);
    made.info.oversubscribed |= ranks_share_cores(&made);
    mpu_tunes_init(made.tune, &made.info, tuning);
    int locals = made.locals = svc_spawn_count(job, made.info.cluster, compute);
    if (locals > made.info.mailbox_ports || locals > made.info.portal_ports || locals > INT16_MAX)
        return -B_ENOMEM;
    int rc = choose_transport(&made);
    made.net_cell = mpu_cell_bytes(lane_bytes(&made) ? MPU_INLINE_MAX : MPU_EAGER_MAX);
    void *memory;
    if (rc == 0)
        rc = k_page_alloc(lay_out(NULL, &made), &memory);
    if (rc)
        return rc;
    size_t used, high, limit;
    k_memory(&used, &high, &limit);
    /* Messages that nobody wants yet may fill half of the memory; announcements of others a fourth,
     * of which struct mpu_peer counts 31. */
    made.window = mpu_credit_window(job, locals, limit / 2 / made.net_cell, 4, 4096);
    made.announce = mpu_credit_window(job, locals, limit / 4 / made.net_cell, 2, 31);
    made.local_blocks = mpu_cell_local_blocks(locals, limit);
    struct mpu_cluster *c = memory;
    *c = made;
    lay_out(c, c);
    find_ranks(c);
    k_cluster_local_set(c);
    return 0;
}

/* Its own memory goes with the cluster, which ends: other cores may still hold the bells of ranks
 * that ended. */
void mpu_cluster_fini(void)
{
    mpu_segments_free(mpu_cluster());
    k_cluster_local_set(NULL);
}
