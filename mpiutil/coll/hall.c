/* SPDX-License-Identifier: MIT */
#include <base/error.h>
#include <mpiutil/coll.h>

#include "progress/progress.h"
#include "rank/rank.h"

static int cluster_of(const struct mpu_rank *r, const struct mpu_comm *c, int rank)
{
    return mpu_place(r->cluster, mpu_comm_world(c, rank)).cluster;
}

int mpu_rank_local(const struct mpu_rank *r)
{
    return r->local;
}

int mpu_comm_clusters(struct mpu_rank *r, const struct mpu_comm *c)
{
    int n = r->cluster->info.clusters, used = 0;
    uint8_t *seen = mpu_alloc(r, (size_t)n);
    if (!seen)
        return -B_ENOMEM;
    for (int i = 0; i < n; i++)
        seen[i] = 0;
    for (int i = 0; i < c->size; i++) {
        int cluster = cluster_of(r, c, i);
        used += !seen[cluster];
        seen[cluster] = 1;
    }
    mpu_free(r, seen);
    return used;
}

/* The number of a cluster among those seen so far, a new one if it was not; `of` holds, by number,
 * the cluster. */
static int number_of(struct mpu_hall *h, int *of, int cluster)
{
    int i = 0;
    while (i < h->clusters && of[i] != cluster)
        i++;
    if (i == h->clusters)
        of[h->clusters++] = cluster;
    return i;
}

/* Clusters are numbered in the order of their first ranks; `leaders` holds the clusters first. */
static void fill(struct mpu_hall *h, const struct mpu_rank *r, const struct mpu_comm *c)
{
    for (int i = 0; i < c->size; i++) {
        int world = mpu_comm_world(c, i);
        struct svc_place place = mpu_place(r->cluster, world);
        h->leads[i] = number_of(h, h->leaders, place.cluster);
        if (place.cluster != r->cluster->info.cluster)
            continue;
        h->cluster = h->leads[i];
        struct mpu_rank *member = &r->cluster->ranks[place.local];
        struct mpu_hall_core *core = &h->core[member->core];
        if (core->members++ == 0) {
            core->first = member;
            h->cores++;
        }
        h->index[place.local] = h->members;
        h->ranks[h->members++] = member;
    }
    for (int i = c->size - 1; i >= 0; i--)
        h->leaders[h->leads[i]] = mpu_comm_world(c, i);
}

static struct mpu_hall *make(const struct mpu_rank *r, const struct mpu_comm *c)
{
    size_t locals = (size_t)r->cluster->locals, ranks = (size_t)c->size;
    size_t cores = (size_t)r->cluster->info.cores;
    size_t bytes = sizeof(struct mpu_hall) + cores * sizeof(struct mpu_hall_core) +
                   2 * locals * sizeof(void *) + (locals + 2 * ranks) * sizeof(int);
    void *memory;
    if (k_page_alloc(bytes, &memory))
        return NULL;
    struct mpu_hall *h = memory;
    h->bytes = bytes;
    h->context = c->context;
    h->core = (struct mpu_hall_core *)(h + 1);
    h->ranks = (struct mpu_rank **)(h->core + cores);
    h->given = (const struct mpu_gift **)(h->ranks + locals);
    h->index = (int *)(h->given + locals);
    h->leaders = h->index + locals;
    h->leads = h->leaders + ranks;
    fill(h, r, c);
    return h;
}

static struct mpu_hall *enter(struct mpu_cluster *cluster, uint32_t context, struct mpu_hall *own)
{
    k_wait_lock(&cluster->hall_lock);
    struct mpu_hall *h = cluster->halls;
    while (h && h->context != context)
        h = h->next;
    if (!h && own) {
        h = own;
        h->known = true;
        h->next = cluster->halls;
        cluster->halls = h;
    }
    if (h)
        h->users++;
    k_wait_unlock(&cluster->hall_lock);
    return h;
}

/* Memory is taken outside the lock, so two may make the same hall: the second one's is not used. */
struct mpu_hall *mpu_hall_join(struct mpu_rank *r, const struct mpu_comm *c)
{
    struct mpu_hall *h = enter(r->cluster, c->context, NULL);
    if (h)
        return h;
    struct mpu_hall *own = make(r, c);
    h = enter(r->cluster, c->context, own);
    if (own && h != own)
        k_page_free(own, own->bytes);
    return h;
}

/* Whoever leaves first makes it unknown: its context may be another communicator's soon. */
void mpu_hall_leave(struct mpu_rank *r, struct mpu_hall *h)
{
    struct mpu_cluster *cluster = r->cluster;
    k_wait_lock(&cluster->hall_lock);
    if (h->known) {
        struct mpu_hall **at = &cluster->halls;
        while (*at != h)
            at = &(*at)->next;
        *at = h->next;
        h->known = false;
    }
    bool last = --h->users == 0;
    k_wait_unlock(&cluster->hall_lock);
    if (last)
        k_page_free(h, h->bytes);
}

void mpu_hall_arrive(struct mpu_hall *h, const struct mpu_rank *r, const struct mpu_gift *given,
                     unsigned int *seen)
{
    struct mpu_hall_core *core = &h->core[r->core];
    int me = mpu_hall_index(h, r);
    *seen = atomic_load(&h->generation);
    if (given)
        h->given[me] = given;
    if (++core->arrived < core->members)
        return;
    core->arrived = 0;
    if (atomic_fetch_add(&h->arrived, 1) + 1 == h->cores && me)
        mpu_ring(h->ranks[0]);
}

/* Wakes the members on the core of r, once for each release. */
static void wake(struct mpu_hall *h, const struct mpu_rank *r, unsigned int generation)
{
    struct mpu_hall_core *core = &h->core[r->core];
    if (core->woken == generation)
        return;
    core->woken = generation;
    for (int i = 0; i < h->members; i++)
        if (h->ranks[i]->core == r->core && h->ranks[i]->waits)
            mpu_ring(h->ranks[i]);
}

bool mpu_hall_released(struct mpu_hall *h, const struct mpu_rank *r, unsigned int seen)
{
    unsigned int generation = atomic_load(&h->generation);
    if (generation == seen)
        return false;
    wake(h, r, generation);
    return true;
}

void mpu_hall_release(struct mpu_hall *h, const void *kind, uint64_t bytes)
{
    const struct mpu_rank *leader = h->ranks[0];
    unsigned int generation = atomic_load(&h->generation) + 1, parity = generation % 2;
    h->told[parity] = (struct mpu_gift){kind, h->result[parity], bytes, 0};
    atomic_store(&h->arrived, 0);
    atomic_store(&h->generation, generation);
    for (int i = 0; i < leader->cluster->info.cores; i++)
        if (h->core[i].first && i != leader->core)
            mpu_ring(h->core[i].first);
    wake(h, leader, generation);
}

void mpu_halls_free(struct mpu_cluster *c)
{
    while (c->halls) {
        struct mpu_hall *h = c->halls;
        c->halls = h->next;
        k_page_free(h, h->bytes);
    }
}
