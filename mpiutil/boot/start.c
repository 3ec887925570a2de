/* SPDX-License-Identifier: MIT */
/* The start of a job and the end of a rank. Nobody may send before all receivers have their
 * mailboxes: the ranks of a cluster count themselves, and the last one meets the other clusters
 * by syncs. */
#include <base/error.h>
#include <base/fmt.h>
#include <sys/k_sync.h>

#include "boot/boot.h"
#include "progress/progress.h"
#include "protocol/protocol.h"
#include "transport/transport.h"

static int close_after(int rc, int (*end)(int id), int id)
{
    int rc2 = end(id);
    return rc ? rc : rc2;
}

/* Cluster 0 hears from all others, then all others hear from it. */
static int meet_by(const int *nodes, int n, bool master)
{
    int in = k_sync_create(nodes, n, master ? K_ALL_TO_ONE : K_ONE_TO_ALL);
    if (in < 0)
        return in;
    int out = k_sync_open(nodes, n, master ? K_ONE_TO_ALL : K_ALL_TO_ONE);
    if (out < 0)
        return close_after(out, k_sync_unlink, in);
    int rc = master ? 0 : k_sync_signal(out);
    if (rc == 0)
        rc = k_sync_wait(in, K_FOREVER);
    if (rc == 0 && master)
        rc = k_sync_signal(out);
    rc = close_after(rc, k_sync_close, out);
    return close_after(rc, k_sync_unlink, in);
}

static int meet_clusters(struct mpu_rank *r)
{
    int n = r->cluster->clusters;
    if (n < 2)
        return 0;
    int *nodes = mpu_alloc(r, (size_t)n * sizeof *nodes);
    if (!nodes)
        return -B_ENOMEM;
    for (int i = 0; i < n; i++)
        nodes[i] = mpu_cluster_at(r->cluster, i);
    int rc = meet_by(nodes, n, r->cluster->info.cluster == 0);
    mpu_free(r, nodes);
    return rc;
}

/* Counts a rank that starts, or one that ended without. A job in which some start and some do not
 * cannot go on: if all of a cluster end without, the others learn from the cluster's end. */
static void count_in(struct mpu_rank *r, bool starts)
{
    struct mpu_cluster *c = r->cluster;
    r->life.counted = true;
    if (!starts)
        atomic_fetch_add(&c->missing, 1);
    if (atomic_fetch_add(&c->starting, 1) + 1 < c->locals)
        return;
    int missing = atomic_load(&c->missing);
    if (missing == c->locals)
        return;
    atomic_store(&c->start_error, missing ? -B_ENOTCONN : meet_clusters(r));
    atomic_store(&c->running, true);
    mpu_ring_all(c, NULL);
}

static bool running(void *arg)
{
    return atomic_load(&((struct mpu_cluster *)arg)->running);
}

int mpu_start(struct mpu_rank *r)
{
    const struct mpu_names *names = r->cluster->set->looks_up;
    int named = names ? names->begin(r) : 0;
    count_in(r, true);
    mpu_until(r, running, r->cluster);
    int rc = atomic_load(&r->cluster->start_error);
    rc = rc ? rc : named;
    r->life.started = rc == 0;
    return rc;
}

static bool quiet(void *arg)
{
    struct mpu_rank *r = arg;
    return !r->outbox.first && mpu_announced_idle(r) &&
           (!r->cluster->transport || r->cluster->transport->idle(r));
}

/* What the rank has started and does not wait for must end while those that take part are there.
 * Who is in the last barrier tells nobody about credit any more: nobody may be there to hear it. It
 * answers those who ask why it does not come to them, and are not here yet; if anybody has asked
 * all meet once more, as the answers must find their receivers. */
void mpu_stop(struct mpu_rank *r, const struct mpu_comm *all, const char *call)
{
    mpu_does(r, call, NULL, MPU_ALL, 0, 0);
    r->notices |= MPU_STOPS | MPU_ALARMED; /* somebody may have asked before */
    mpu_until(r, quiet, r);
    r->life.closing = true;
    int meetings = 0;
    do {
        mpu_barrier(r, all);
        r->hooks.notify = NULL;
        r->hooks.unexpected = NULL;
        mpu_until(r, quiet, r);
    } while (meetings++ == 0 && atomic_load(&r->cluster->alarms.asked));
    r->life.started = false;
    r->doing.call = NULL;
}

void mpu_let_end(struct mpu_rank *r, const struct mpu_comm *all)
{
    r->life.may_end = all;
}

bool mpu_rank_open(void)
{
    struct mpu_rank *r = mpu_self();
    return r->life.started && !r->life.may_end;
}

int mpu_rank_leave(int status)
{
    struct mpu_rank *r = mpu_self();
    if (r->life.started && r->life.may_end)
        mpu_stop(r, r->life.may_end, "end of the program");
    if (r->life.started) {
        char line[120];
        b_fmt(line, sizeof line, "rank %d ended with status %d between MPI_Init and MPI_Finalize",
              r->number, status);
        k_abort(status ? status : 1, line);
    }
    if (!r->life.counted)
        count_in(r, false);
    if (r->cluster->set->looks_up)
        r->cluster->set->looks_up->end(r);
    mpu_carried_count(r);
    if (r->cluster->transport && r->cluster->transport->end)
        r->cluster->transport->end(r);
    k_thread_local_set(NULL);
    return status;
}
