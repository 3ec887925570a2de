/* SPDX-License-Identifier: MIT */
/* Segments: how they come and go; and that ranks disagree in one. */
#include <base/assert.h>
#include <base/error.h>
#include <mpiutil/trace.h>

#include "segment/cluster.h"

int mpu_comm_clusters(struct mpu_rank *r, const struct mpu_comm *c, int *fullest)
{
    if (!c->world && c->size == mpu_ranks(r)) {
        *fullest = r->cluster->fullest;
        return r->cluster->clusters;
    }
    int n = r->cluster->info.clusters, used = 0, most = 0;
    uint16_t *members = mpu_alloc(r, (size_t)n * sizeof *members);
    if (!members)
        return -B_ENOMEM;
    for (int i = 0; i < n; i++)
        members[i] = 0;
    for (int i = 0; i < c->size; i++) {
        int here = ++members[r->cluster->endpoint[mpu_comm_world(c, i)].cluster];
        used += here == 1;
        most = here > most ? here : most;
    }
    mpu_free(r, members);
    *fullest = most;
    return used;
}

/* The number of a cluster among those seen so far, a new one if it was not; `of` holds, by number,
 * the cluster. `last`: the number of the rank before, whose cluster, or the one after it, it mostly
 * is. */
static int number_of(struct mpu_segment *s, int *of, int cluster, int last)
{
    for (int i = 0; i < s->clusters; i++) {
        int at = last + i < s->clusters ? last + i : last + i - s->clusters;
        if (of[at] == cluster)
            return at;
    }
    of[s->clusters] = cluster;
    return s->clusters++;
}

/* Clusters are numbered in the order of their first ranks. `leaders` holds the clusters first, then
 * how many members they have. */
static void fill(struct mpu_segment *s, const struct mpu_rank *r, const struct mpu_comm *c)
{
    s->in_order = true;
    for (int i = 0, number = 0; i < c->size; i++) {
        int world = mpu_comm_world(c, i), last = number;
        struct mpu_endpoint place = r->cluster->endpoint[world];
        number = number_of(s, s->leaders, place.cluster, number);
        s->in_order &= number >= last;
        s->position[i].cluster = (int16_t)number;
        if (place.cluster != r->cluster->info.cluster)
            continue;
        s->cluster = s->position[i].cluster;
        struct mpu_rank *member = &r->cluster->ranks[place.local];
        struct mpu_core_slot *core = &s->core[member->core];
        struct mpu_core_index at = {(int16_t)member->core, (int16_t)core->members++};
        if (at.index == 0)
            s->used[s->cores++] = core;
        s->leader = s->members == 0 ? member : s->leader;
        s->of_local[place.local] = s->of_member[s->members++] = at;
    }
    b_assert(s->members > 0 && s->members <= r->cluster->locals && s->leader);
    for (int i = 0; i < s->clusters; i++)
        s->leaders[i] = 0;
    for (int i = 0; i < c->size; i++)
        s->position[i].member = (int16_t)s->leaders[s->position[i].cluster]++;
    for (int i = c->size - 1; i >= 0; i--)
        s->leaders[s->position[i].cluster] = mpu_comm_world(c, i);
}

/* What the members of a core give lies together, so that cores do not share its lines. All of it
 * is noted at the first core. */
static void share_out(struct mpu_segment *s)
{
    uint8_t *operands = s->core->operands;
    const void **shown = s->core->shown;
    int *member = s->core->member;
    for (int i = 0; i < s->members; i++) {
        struct mpu_core_slot *core = &s->core[s->of_member[i].core];
        if (s->of_member[i].index == 0) {
            core->operands = operands;
            operands += core->members * MPU_SEGMENT_OPERAND;
            core->shown = shown;
            core->member = member;
            shown += core->members;
            member += core->members;
        }
        core->member[s->of_member[i].index] = i;
    }
}

/* Its memory, nothing in it yet: each part lies behind the one before. */
static struct mpu_segment *take(const struct mpu_rank *r, const struct mpu_comm *c)
{
    size_t locals = (size_t)r->cluster->locals, ranks = (size_t)c->size;
    size_t cores = (size_t)r->cluster->info.cores, operands = locals * MPU_SEGMENT_OPERAND;
    size_t by_core = sizeof(struct mpu_core_slot) + sizeof(struct mpu_core_slot *);
    size_t by_local = sizeof(void *) + sizeof(int) + 2 * sizeof(struct mpu_core_index);
    size_t by_rank = sizeof(int) + sizeof(struct mpu_position);
    size_t parts = sizeof(struct mpu_segment) + operands + mpu_lines(operands) + cores * by_core +
                   locals * by_local + ranks * by_rank;
    size_t result =
        mpu_lines(sizeof(struct mpu_result) + MPU_SEGMENT_HEAD + r->tune[MPU_TUNE_SEGMENT_LIMIT]);
    size_t size = mpu_lines(parts) + 2 * result;
    void *memory;
    if (k_page_alloc(size, &memory))
        return NULL;
    struct mpu_segment *s = memory;
    s->size = size;
    s->context = c->context;
    s->ranks = c->size;
    s->core = (struct mpu_core_slot *)(s + 1);
    s->core->operands = (uint8_t *)(s->core + cores);
    s->work = s->core->operands + operands;
    s->core->shown = (const void **)(s->work + mpu_lines(operands));
    s->used = (struct mpu_core_slot **)(s->core->shown + locals);
    s->core->member = (int *)(s->used + cores);
    s->leaders = s->core->member + locals;
    s->position = (struct mpu_position *)(s->leaders + ranks);
    s->of_local = (struct mpu_core_index *)(s->position + ranks);
    s->of_member = s->of_local + locals;
    s->result[0] = (struct mpu_result *)((uint8_t *)memory + mpu_lines(parts));
    s->result[1] = (struct mpu_result *)((uint8_t *)s->result[0] + result);
    return s;
}

static struct mpu_segment *enter(struct mpu_rank *r, const struct mpu_comm *c,
                                 struct mpu_segment *own)
{
    struct mpu_cluster *cluster = r->cluster;
    k_wait_lock(&cluster->segment_lock);
    struct mpu_segment *s = cluster->segments;
    while (s && s->context != c->context)
        s = s->next;
    if (!s && own) {
        s = own;
        fill(s, r, c);
        share_out(s);
        mpu_leaders_join(r, s);
        s->next = cluster->segments;
        s->known = true;
        cluster->segments = s;
    }
    if (s)
        s->users++;
    k_wait_unlock(&cluster->segment_lock);
    return s;
}

/* Memory is taken outside the lock, so two may take it for the same segment: the second one's is
 * not used. It is filled under the lock, by one: that takes time for each rank of the communicator,
 * and the others could not go on before. */
struct mpu_segment *mpu_segment_join(struct mpu_rank *r, const struct mpu_comm *c)
{
    struct mpu_segment *s = enter(r, c, NULL);
    if (s)
        return s;
    struct mpu_segment *own = take(r, c);
    s = enter(r, c, own);
    if (own && s != own)
        k_page_free(own, own->size);
    return s;
}

/* Whoever leaves first makes it unknown: its context may be another communicator's soon. */
void mpu_segment_leave(struct mpu_rank *r, struct mpu_segment *s)
{
    struct mpu_cluster *cluster = r->cluster;
    k_wait_lock(&cluster->segment_lock);
    if (s->known) {
        struct mpu_segment **at = &cluster->segments;
        while (*at != s)
            at = &(*at)->next;
        *at = s->next;
        s->known = false;
        mpu_leaders_close(s);
    }
    b_assert(s->users > 0);
    bool last = --s->users == 0;
    k_wait_unlock(&cluster->segment_lock);
    if (!last)
        return;
    mpu_leaders_leave(s);
    k_page_free(s, s->size);
}

void mpu_segments_free(struct mpu_cluster *c)
{
    while (c->segments) {
        struct mpu_segment *s = c->segments;
        c->segments = s->next;
        k_page_free(s, s->size);
    }
}

__attribute__((cold)) void mpu_outcome_differs(struct mpu_outcome *o,
                                               const struct mpu_signature *own,
                                               const struct mpu_signature *other)
{
    o->agreed = false;
    o->first = *own;
    o->odd = *other;
}
