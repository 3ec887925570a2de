/* SPDX-License-Identifier: MIT */
/* barrier of all ranks, cluster-aware: the ranks of a cluster count in its memory; local rank 0
 * then meets those of the other clusters by dissemination (in round k it tells the cluster 2^k
 * ahead and hears from the one 2^k behind), and lets its cluster go.
 *
 *     rank 3 --count--> rank 0 ==== round 0, 1, 2 ==== rank 0 of other clusters
 *     rank 3 <--ring--- rank 0
 *
 * Consecutive barriers cannot mix: the messages of a pair match in order. Afterwards all clusters
 * know whether a rank of any had asked (struct mpu_alarms) before it came: a message has a byte if
 * its sender knows of one. */
#include <mpiutil/trace.h>

#include "boot/boot.h"
#include "progress/progress.h"

static bool all_arrived(void *arg)
{
    struct mpu_cluster *c = arg;
    return atomic_load(&c->arrived) == c->locals - 1;
}

struct visit {
    struct mpu_cluster *cluster;
    unsigned int generation; /* when the rank came */
};

static bool released(void *arg)
{
    const struct visit *v = arg;
    return atomic_load(&v->cluster->generation) != v->generation;
}

/* Of the i-th cluster with ranks. */
static int first_rank(const struct mpu_cluster *c, int i)
{
    return svc_spawn_rank(c->job, mpu_cluster_at(c, i), 0, c->info.compute_clusters);
}

static void meet_clusters(struct mpu_rank *r, const struct mpu_comm *comm)
{
    struct mpu_cluster *c = r->cluster;
    char asked = 0, known = 0;
    int n = c->clusters, me = mpu_cluster_index(c);
    for (int step = 1, round = 0; step < n; step *= 2, round++) {
        int to = first_rank(c, (me + step) % n), from = first_rank(c, (me + n - step) % n);
        struct mpu_request send, receive;
        mpu_recv_start(r, &receive, comm, from, round, &known, 1);
        mpu_send_start(r, &send, comm, to, round, &asked, atomic_load(&c->alarms.asked));
        mpu_wait(&send);
        mpu_wait(&receive);
        if (receive.count)
            atomic_store(&c->alarms.asked, true);
    }
}

static void lead(struct mpu_rank *r, const struct mpu_comm *comm)
{
    struct mpu_cluster *c = r->cluster;
    mpu_until(r, all_arrived, c);
    atomic_store(&c->arrived, 0);
    meet_clusters(r, comm);
    atomic_fetch_add(&c->generation, 1);
    mpu_ring_all(c, r);
}

static void follow(struct mpu_rank *r)
{
    struct mpu_cluster *c = r->cluster;
    struct visit v = {c, atomic_load(&c->generation)};
    if (atomic_fetch_add(&c->arrived, 1) + 1 == c->locals - 1)
        mpu_ring(&c->ranks[0]);
    mpu_until(r, released, &v);
}

void mpu_barrier(struct mpu_rank *r, const struct mpu_comm *comm)
{
    if (comm->size == 1)
        return;
    struct mpu_span span;
    mpu_span_begin(r, &span, "barrier");
    if (r->local == 0)
        lead(r, comm);
    else
        follow(r);
    mpu_span_end(r, &span, false);
}
