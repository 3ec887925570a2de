/* SPDX-License-Identifier: MIT */
/* Channels: mpiutil/channel.h. A channel is a segment of its own as far as its leaders, who are all
 * ranks of the communicator, meet: that of the communicator with another place to meet at. */
#include <base/assert.h>
#include <mpiutil/channel.h>
#include <sys/k_info.h>

#include "progress/progress.h"
#include "segment/caster.h"

/* Only the first meetings have channels, and only few clusters, as a place takes much memory, if
 * only once it is used. */
#define WITH_CHANNELS 8
#define CHANNELS_MOST (64u << 20) /* bytes */

struct mpu_channel {
    struct mpu_segment segment;
    struct mpu_rank *rank;
    struct mpu_leader_wait wait;
    struct mpu_standing standing; /* of that */
    bool stale; /* it has left a meeting to which all had come, and which was not closed then */
    struct mpu_leaders *home; /* of the communicator: tells which channels are used */
    uint32_t use;             /* the bit there, until it is set */
};

/* In the bits of those that are used, behind the channels: the multicasts. */
#define MULTICASTS (1U << MPU_CHANNELS)
_Static_assert(MPU_CHANNELS < 32, "a bit for each, and one");

struct mpu_channels {
    struct mpu_channel channel[MPU_CHANNELS];
    struct mpu_caster caster;
};

bool mpu_channels_may_be(const struct mpu_rank *r, int clusters)
{
    return r->cluster->fullest == 1 && mpu_leaders_may_meet(r, clusters);
}

/* The multicasts of a communicator lie in front of its channels. */
static size_t bytes_each(int clusters, int ranks)
{
    return mpu_multicasts_bytes(ranks) + MPU_CHANNELS * mpu_leaders_place_bytes(clusters);
}

/* How many meetings have channels: some if each rank is alone in its cluster. */
static int with_channels(int clusters, int ranks)
{
    size_t most = clusters < ranks ? 0 : CHANNELS_MOST / bytes_each(clusters, ranks);
    return most < WITH_CHANNELS ? (int)most : WITH_CHANNELS;
}

size_t mpu_channels_bytes(int clusters, int ranks)
{
    return (size_t)with_channels(clusters, ranks) * bytes_each(clusters, ranks);
}

bool mpu_channel_has_place(const struct mpu_segment *s)
{
    const struct mpu_cluster *c = mpu_cluster();
    int clusters = c->info.clusters, ranks = svc_spawn_total(c->job);
    return s->shared && s->meeting < with_channels(clusters, ranks) &&
           c->board.bytes >= mpu_meetings_bytes(clusters, ranks);
}

static struct mpu_multicasts *multicasts_of(const struct mpu_segment *s)
{
    const struct mpu_cluster *c = mpu_cluster();
    int clusters = c->info.clusters, ranks = svc_spawn_total(c->job);
    size_t at =
        mpu_leaders_bytes(clusters, ranks) + (size_t)s->meeting * bytes_each(clusters, ranks);
    b_assert(mpu_channel_has_place(s));
    return (struct mpu_multicasts *)((uint8_t *)c->board.at + at);
}

static struct mpu_leaders *place(const struct mpu_segment *s, int number)
{
    const struct mpu_cluster *c = mpu_cluster();
    size_t at = mpu_multicasts_bytes(svc_spawn_total(c->job)) +
                (size_t)number * mpu_leaders_place_bytes(c->info.clusters);
    b_assert(number >= 0 && number < MPU_CHANNELS);
    return (struct mpu_leaders *)((uint8_t *)multicasts_of(s) + at);
}

/* That of the communicator, which has been at no meeting of this channel yet. */
static struct mpu_segment segment_of(const struct mpu_segment *s, int number)
{
    struct mpu_segment channel = *s;
    channel.shared = place(s, number);
    channel.relaxed = false;
    channel.entry = 0;
    channel.last_at = channel.seen_at = 0;
    return channel;
}

/* Pages, as a segment begins with a line of its own. */
struct mpu_channels *mpu_channels_make(struct mpu_rank *r, struct mpu_segment *s)
{
    void *memory;
    b_assert(mpu_segment_alone(s) && mpu_channel_has_place(s));
    if (k_page_alloc(sizeof(struct mpu_channels), &memory))
        return NULL;
    struct mpu_channels *all = memory;
    for (int i = 0; i < MPU_CHANNELS; i++) {
        struct mpu_channel *c = &all->channel[i];
        *c = (struct mpu_channel){
            .segment = segment_of(s, i), .rank = r, .home = s->shared, .use = 1U << i};
    }
    all->caster = (struct mpu_caster){.segment = s, .rank = r, .at = multicasts_of(s)};
    atomic_fetch_or(&s->shared->channels, MULTICASTS); /* all ranks come there */
    return all;
}

void mpu_channels_free(struct mpu_channels *all)
{
    for (int i = 0; i < MPU_CHANNELS; i++)
        b_assert(!all->channel[i].standing.stands);
    b_assert(!all->caster.standing.stands);
    k_page_free(all, sizeof *all);
}

struct mpu_channel *mpu_channel_of(struct mpu_channels *all, int number)
{
    b_assert(number >= 0 && number < MPU_CHANNELS);
    return &all->channel[number];
}

struct mpu_caster *mpu_channels_caster(struct mpu_channels *all)
{
    return &all->caster;
}

struct mpu_segment *mpu_channel_segment(struct mpu_channel *c)
{
    return &c->segment;
}

/* All have come to the last call there that ended well: nobody reads what it gave before. */
void *mpu_channel_begin(struct mpu_channel *c, struct mpu_visit *v)
{
    b_assert(!c->standing.stands && !v->cancelled);
    if (c->use)
        atomic_fetch_or(&c->home->channels, c->use);
    c->use = 0;
    while (c->stale && !mpu_gate_passed(&c->segment.shared->gate, c->wait.seen))
        mpu_yield(c->rank); /* whoever has come last closes it now */
    c->stale = false;
    return mpu_leaders_begin(&c->segment, c->rank, v);
}

bool mpu_channel_arrive(struct mpu_channel *c, struct mpu_visit *v)
{
    if (mpu_leaders_come(&c->segment, c->rank, v, &c->wait))
        return true;
    mpu_leaders_wake(&c->segment, c->rank);
    c->standing.await = &c->wait.await;
    mpu_standing_begin(&c->standing);
    return false;
}

bool mpu_channel_came(struct mpu_channel *c)
{
    b_assert(!c->standing.stands);
    return mpu_leaders_came(&c->segment, c->wait.await.visit) == MPU_CLOSES;
}

void mpu_channel_leave(struct mpu_channel *c)
{
    if (!c->standing.stands)
        return;
    mpu_standing_end(&c->standing);
    c->stale = !mpu_leaders_withdraw(&c->wait);
}

void mpu_channel_hurry(struct mpu_channel *c)
{
    if (c->standing.stands)
        mpu_standing_tell(&c->standing);
}

/* Pages that nobody has used stay so. */
void mpu_channels_wipe(struct mpu_segment *s)
{
    uint32_t used = atomic_exchange(&s->shared->channels, 0);
    for (int i = 0; i < MPU_CHANNELS; i++) {
        if (!(used >> i & 1))
            continue;
        struct mpu_segment channel = segment_of(s, i);
        mpu_leaders_wipe(&channel);
    }
    if (used & MULTICASTS) {
        struct mpu_segment casts = *s;
        casts.multicasts = multicasts_of(s);
        mpu_multicasts_wipe(&casts);
    }
}
