/* SPDX-License-Identifier: MIT */
/* Which communicator's leaders meet where, in memory that all clusters share (sys/k_board.h):
 *
 *     | table: lock, keys | meeting 0 | meeting 1 | ... | channels (channel.c)
 *
 * A key says which communicator meets where. It is found by the communicator's context and the
 * world rank of its first member, which no two have in common at a time; so the ranks need not
 * agree by messages. A communicator for which no meeting was free has a key, too, that says so to
 * all of its ranks. When a rank frees the communicator its context may become another one's, so the
 * key is closed to those who look, and lives on until all who found it have left. */
#include <base/assert.h>

#include "segment/leaders.h"

/* At most. */
enum { KEYS = 4096, MEETINGS = 32 };
enum { NONE = -1 };

struct key {
    uint32_t context;
    int32_t first;   /* world rank */
    uint32_t users;  /* clusters; 0: the key is free */
    int16_t meeting; /* or NONE */
    int16_t open;    /* can be found */
};

/* All but the lock is under it. */
struct table {
    _Alignas(KERN_LINE) _Atomic uint32_t lock;
    uint32_t used; /* keys above were never used */
    uint32_t full; /* there was no free key once: from then on none is given */
    uint64_t busy; /* meetings, as bits */
    struct key key[KEYS];
};
_Static_assert(MEETINGS <= 64, "a bit for each");

static size_t meeting_bytes(int clusters, int ranks)
{
    return mpu_multicasts_bytes(ranks) + mpu_leaders_place_bytes(clusters);
}

size_t mpu_leaders_bytes(int clusters, int ranks)
{
    return sizeof(struct table) + MEETINGS * meeting_bytes(clusters, ranks);
}

bool mpu_leaders_each(const struct mpu_rank *r, int clusters)
{
    return r->cluster->has.each && clusters <= (int)r->tune[MPU_TUNE_SEGMENT_EACH];
}

bool mpu_leaders_may_meet(const struct mpu_rank *r, int clusters)
{
    const struct mpu_cluster *c = r->cluster;
    return clusters > 1 && (c->info.oversubscribed || mpu_leaders_each(r, clusters)) &&
           c->board.bytes >= mpu_leaders_bytes(c->info.clusters, mpu_ranks(r));
}

static struct table *table(void)
{
    return mpu_cluster()->board.at;
}

/* Finds what a communicator has there. */
static void find_meeting(struct mpu_segment *s, const struct mpu_rank *r, int number)
{
    int clusters = r->cluster->info.clusters, ranks = mpu_ranks(r);
    uint8_t *at = (uint8_t *)(table() + 1) + (size_t)number * meeting_bytes(clusters, ranks);
    s->multicasts = (struct mpu_multicasts *)at;
    s->shared = (struct mpu_leaders *)(at + mpu_multicasts_bytes(ranks));
    s->meeting = number;
}

/* Held for a look through the keys. */
static struct table *lock(void)
{
    struct table *t = table();
    while (atomic_exchange_explicit(&t->lock, 1, memory_order_acquire))
        k_relax(0);
    return t;
}

static void unlock(struct table *t)
{
    atomic_store_explicit(&t->lock, 0, memory_order_release);
}

static int free_meeting(struct table *t)
{
    for (int i = 0; i < MEETINGS; i++)
        if (!(t->busy >> i & 1)) {
            t->busy |= UINT64_C(1) << i;
            return i;
        }
    return NONE;
}

/* The key that is open to those who look for it, or a new one; NONE. */
static int find(struct table *t, uint32_t context, int first)
{
    uint32_t at = t->used;
    for (uint32_t i = t->used; i-- > 0;) {
        const struct key *k = &t->key[i];
        if (k->users && k->open && k->context == context && k->first == first)
            return (int)i;
        at = k->users ? at : i;
    }
    t->full |= at == KEYS;
    if (t->full)
        return NONE;
    t->used += at == t->used;
    t->key[at] = (struct key){context, first, 0, (int16_t)free_meeting(t), true};
    return (int)at;
}

/* Whether each leader is the first rank of its core: ranks are dealt out to the cores of a cluster
 * in turn (svc/spawn.h). */
static bool has_staging(const struct mpu_rank *r, const struct mpu_segment *s)
{
    const struct mpu_cluster *c = r->cluster;
    for (int i = 0; i < s->clusters; i++) {
        struct mpu_endpoint e = c->endpoint[s->leaders[i]];
        if (e.core != c->info.user_core + e.local)
            return false;
    }
    return true;
}

void mpu_leaders_join(const struct mpu_rank *r, struct mpu_segment *s)
{
    s->key = NONE;
    s->has_staging = false;
    if (!mpu_leaders_may_meet(r, s->clusters))
        return;
    s->each = mpu_leaders_each(r, s->clusters);
    s->relaxed = r->cluster->info.naps;
    struct table *t = lock();
    s->key = find(t, s->context, s->leaders[0]);
    if (s->key != NONE) {
        struct key *k = &t->key[s->key];
        k->users++;
        b_assert(k->meeting < MEETINGS);
        if (k->meeting != NONE)
            find_meeting(s, r, k->meeting);
        s->has_staging = s->shared && !s->each && has_staging(r, s);
    }
    unlock(t);
}

void mpu_leaders_close(struct mpu_segment *s)
{
    if (s->key == NONE)
        return;
    struct table *t = lock();
    b_assert(t->key[s->key].context == s->context && t->key[s->key].users > 0);
    t->key[s->key].open = false;
    unlock(t);
}

void mpu_leaders_leave(struct mpu_segment *s)
{
    if (s->key == NONE)
        return;
    struct table *t = lock();
    struct key *k = &t->key[s->key];
    b_assert(k->users > 0);
    if (--k->users == 0 && k->meeting != NONE) {
        if (mpu_cluster()->has.each)
            mpu_cluster()->has.each->wipe(s);
        t->busy &= ~(UINT64_C(1) << k->meeting);
    }
    unlock(t);
}
