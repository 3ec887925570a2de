/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <base/mem.h>

#include "progress/cell.h"
#include "progress/credit.h"
#include "rank/rank.h"

struct svc_place mpu_place(const struct mpu_cluster *c, int rank)
{
    return svc_spawn_place(c->job, rank, c->info.compute_clusters, c->info.user_core,
                           c->info.cores);
}

/* Both mappings fill clusters 0 .. n-1. */
static int clusters_with_ranks(const struct svc_job *job, int clusters)
{
    int n = 0;
    while (n < clusters && svc_spawn_count(job, n, clusters) > 0)
        n++;
    return n;
}

int mpu_cluster_init(const struct svc_job *job, const struct mpu_tuning *tuning)
{
    struct k_info info;
    k_info(&info);
    int locals = info.cluster < info.compute_clusters
                     ? svc_spawn_count(job, info.cluster, info.compute_clusters)
                     : 0;
    if (locals > info.mailbox_ports || 2 * locals > info.portal_ports)
        return -B_ENOMEM;
    size_t bytes = sizeof(struct mpu_cluster) + (size_t)locals * mpu_rank_bytes(job);
    void *memory;
    int rc = k_page_alloc(bytes, &memory);
    if (rc)
        return rc;
    struct mpu_cluster *c = memory;
    c->job = job;
    c->tuning = *tuning;
    c->info = info;
    c->locals = locals;
    c->bytes = bytes;
    size_t used, high, limit;
    k_memory(&used, &high, &limit);
    c->window = mpu_credit_window(job, locals, limit);
    c->local_pages = mpu_cell_local_pages(locals, limit);
    c->clusters = clusters_with_ranks(job, info.compute_clusters);
    c->ranks = (struct mpu_rank *)(c + 1);
    mpu_cells_init(c, (uint8_t *)(c->ranks + locals));
    k_cluster_local_set(c);
    return 0;
}

void mpu_cluster_fini(void)
{
    struct mpu_cluster *c = mpu_cluster();
    mpu_halls_free(c);
    k_cluster_local_set(NULL);
    k_page_free(c, c->bytes);
}
