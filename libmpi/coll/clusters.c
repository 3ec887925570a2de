/* SPDX-License-Identifier: MIT */
/* Allgather of few bytes by ranks several of which share a cluster: the leader of each cluster
 * packs what its members give, the leaders double by messages what they have (Bruck and others,
 * 1997), and all members read what their leader has got.
 *
 *     arrive, "here is my operation" -> [leader: pack] -> [leaders: doubling] -> release -> read
 *
 * So a cluster takes part with one rank's messages, and holds what all gave once, beside the
 * buffers of the program. */
#include <stdatomic.h>

#include <base/error.h>
#include <base/mem.h>
#include <mpiutil/machine.h>

#include "coll/round.h"
#include "coll/segment.h"

/* Taken by the leader, read by all, freed by whoever reads it last: so the leader need not wait
 * for the others. */
struct heard {
    atomic_int readers;
    int marks;       /* of elements: one for consecutive ranks that gave the same */
    uint8_t *data;   /* of all, packed, in rank order; behind the marks */
    uint16_t mark[]; /* room for one of each rank */
};

/* Where the clusters have no memory in common, several ranks of the communicator each, and about as
 * many. */
static bool applies(const struct mpi_coll *c)
{
    int clusters = c->comm->clusters;
    return c->blocking && !mpi_segment_shared(c) && clusters > 1 && 2 * clusters <= c->size &&
           clusters * c->comm->fullest <= 2 * c->size && mpi_coll_allgather_few(c);
}

static uint64_t up(uint64_t n, uint64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* What a cluster gives: the marks of its members' elements, as many as the fullest one has, and
 * behind them their data. */
static uint64_t marks_bytes(const struct mpi_coll *c)
{
    return up((uint64_t)c->comm->fullest * sizeof(uint16_t), 16);
}

static uint64_t share_bytes(const struct mpi_coll *c)
{
    return marks_bytes(c) + (uint64_t)c->comm->fullest * c->bytes;
}

static void pack(const struct mpi_coll *c, uint8_t *to)
{
    const struct mpu_segment *s = mpi_coll_segment(c);
    uint16_t *mark = (uint16_t *)(void *)to;
    uint8_t *data = to + marks_bytes(c);
    memset(to, 0, share_bytes(c));
    for (int i = 0; i < s->members; i++) {
        const struct mpi_coll *member = mpi_segment_shown(c, i);
        const struct mpi_elements own = mpi_coll_gather_own(member);
        mark[i] = member->messages.element;
        mpi_coll_pack(&own, data + (uint64_t)i * c->bytes);
    }
}

/* It must be pages of its own, which alone another rank may free. */
static struct heard *heard_new(struct mpi_coll *c)
{
    uint64_t head = up(sizeof(struct heard) + (uint64_t)c->size * sizeof(uint16_t), 16);
    uint64_t n = head + (uint64_t)c->size * c->bytes;
    struct heard *h = mpi_coll_temp(c, n < MPU_PAGES_FROM ? MPU_PAGES_FROM : n);
    if (h) {
        atomic_init(&h->readers, mpi_coll_segment(c)->members);
        h->marks = 0;
        h->data = (uint8_t *)h + head;
    }
    return h;
}

/* The shares in rank order; `acc` has them beginning with the own cluster's. */
static void sort(struct mpi_coll *c, struct heard *h)
{
    const struct mpu_segment *s = mpi_coll_segment(c);
    for (int i = 0; i < c->size; i++) {
        struct mpu_position at = s->position[i];
        int turned = (at.cluster - s->cluster + s->clusters) % s->clusters;
        const uint8_t *share = c->vector.acc + (uint64_t)turned * share_bytes(c);
        uint16_t mark = ((const uint16_t *)(const void *)share)[at.member];
        if (h->marks == 0 || h->mark[h->marks - 1] != mark)
            h->mark[h->marks++] = mark;
        memcpy(h->data + (uint64_t)i * c->bytes,
               share + marks_bytes(c) + (uint64_t)at.member * c->bytes, c->bytes);
    }
}

static void read(struct mpi_coll *c, const struct heard *h)
{
    for (int i = 0; i < h->marks; i++)
        mpi_coll_compare(c, h->mark[i], c->recv.type);
    const struct mpi_elements to = mpi_coll_blocks(&c->recv, 0, c->size);
    if (c->bytes && to.type->kind == MPI_KIND_BASIC)
        mpu_copy(to.buf, h->data, (uint64_t)c->size * c->bytes);
    else
        mpi_coll_unpack(h->data, &to);
}

/* After the release, if the ranks agreed and the leader did not fail. */
static void take(struct mpi_coll *c)
{
    struct heard *h;
    memcpy(&h, mpu_segment_result(mpi_coll_segment(c), &c->segment.visit)->bytes, sizeof h);
    read(c, h);
    if (atomic_fetch_sub(&h->readers, 1) == 1)
        mpi_free(c->p, h);
}

/* The first of what the operation took is no longer its own. */
static int end(struct mpi_coll *c)
{
    struct heard *h = c->temp[0];
    sort(c, h);
    if (!c->error) {
        memcpy(mpi_segment_next(c), &h, sizeof h);
        c->temp[0] = c->temp[--c->messages.temps];
    }
    mpi_segment_finish(c);
    return MPI_COLL_DONE;
}

static int begin(struct mpi_coll *c)
{
    struct heard *h = heard_new(c);
    c->vector.acc =
        h ? mpi_coll_temp(c, (uint64_t)mpi_coll_segment(c)->clusters * share_bytes(c)) : NULL;
    if (!c->vector.acc)
        return -B_ENOMEM;
    pack(c, c->vector.acc);
    c->messages.element = 0; /* each share has the marks of its elements */
    return 0;
}

/* Of the leaders. */
static int doubling(struct mpi_coll *c, int k)
{
    int rc = k == 0 ? begin(c) : 0;
    if (rc)
        return rc;
    if (1 << k >= mpi_coll_segment(c)->clusters)
        return end(c);
    return mpi_coll_more(mpi_coll_double(c, &c->segment.leaders, k, share_bytes(c)));
}

static const struct mpi_segment_form form = {.leave = mpi_segment_show, .take = take};

const struct mpi_coll_algorithm mpi_coll_allgather_clusters = {
    MPI_COLL_NAMED("allgather-clusters"), .applies = applies, .meet = mpi_segment_run,
    .form = &form, .round = doubling};
