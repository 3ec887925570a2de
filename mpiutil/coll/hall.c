/* SPDX-License-Identifier: MIT */
/* Halls: how they come and go. */
#include <base/error.h>
#include <mpiutil/coll.h>

#include "coll/hall.h"
#include "rank/rank.h"

static int cluster_of(const struct mpu_rank *r, const struct mpu_comm *c, int rank)
{
    return r->cluster->endpoint[mpu_comm_world(c, rank)].cluster;
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
        struct mpu_endpoint place = r->cluster->endpoint[world];
        h->leads[i] = number_of(h, h->leaders, place.cluster);
        if (place.cluster != r->cluster->info.cluster)
            continue;
        h->cluster = h->leads[i];
        struct mpu_rank *member = &r->cluster->ranks[place.local];
        struct mpu_hall_core *core = &h->core[member->core];
        struct mpu_seat seat = {(int16_t)member->core, (int16_t)core->members++};
        if (seat.seat == 0)
            h->used[h->cores++] = core;
        h->leader = h->members == 0 ? member : h->leader;
        h->seat[place.local] = h->seats[h->members++] = seat;
    }
    for (int i = c->size - 1; i >= 0; i--)
        h->leaders[h->leads[i]] = mpu_comm_world(c, i);
}

/* What the members of a core give lies together, so that cores do not share its lines. */
static void share_out(struct mpu_hall *h, uint8_t *operands, const void **shown, int *member)
{
    for (int i = 0; i < h->members; i++) {
        struct mpu_hall_core *core = &h->core[h->seats[i].core];
        if (h->seats[i].seat == 0) {
            for (int k = 0; k < 2; k++, operands += core->members * MPU_HALL_OPERAND)
                core->operands[k] = operands;
            core->shown = shown;
            core->member = member;
            shown += core->members;
            member += core->members;
        }
        core->member[h->seats[i].seat] = i;
    }
}

static size_t lines(size_t bytes)
{
    return (bytes + KERN_LINE - 1) / KERN_LINE * KERN_LINE;
}

static struct mpu_hall *make(const struct mpu_rank *r, const struct mpu_comm *c)
{
    size_t locals = (size_t)r->cluster->locals, ranks = (size_t)c->size;
    size_t cores = (size_t)r->cluster->info.cores;
    size_t operands = sizeof(struct mpu_hall) + cores * sizeof(struct mpu_hall_core);
    size_t work = operands + 2 * locals * MPU_HALL_OPERAND;
    size_t shown = work + lines(locals * MPU_HALL_OPERAND);
    size_t used = shown + locals * sizeof(void *);
    size_t rest = used + cores * sizeof(void *);
    size_t bytes = rest + (locals + 2 * ranks) * sizeof(int) + 2 * locals * sizeof(struct mpu_seat);
    void *memory;
    if (k_page_alloc(bytes, &memory))
        return NULL;
    struct mpu_hall *h = memory;
    uint8_t *at = memory;
    h->bytes = bytes;
    h->context = c->context;
    h->traced = r->cluster->traced;
    h->limit = r->tune[MPU_TUNE_HALL_LIMIT];
    h->core = (struct mpu_hall_core *)(h + 1);
    h->used = (struct mpu_hall_core **)(at + used);
    h->work = at + work;
    int *member = (int *)(at + rest);
    h->leaders = member + locals;
    h->leads = h->leaders + ranks;
    h->seat = (struct mpu_seat *)(h->leads + ranks);
    h->seats = h->seat + locals;
    fill(h, r, c);
    h->straight = h->clusters == 1 && !r->cluster->network;
    share_out(h, at + operands, (const void **)(at + shown), member);
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

void mpu_halls_free(struct mpu_cluster *c)
{
    while (c->halls) {
        struct mpu_hall *h = c->halls;
        c->halls = h->next;
        k_page_free(h, h->bytes);
    }
}
