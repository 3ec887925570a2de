/* SPDX-License-Identifier: MIT */
/* Collectives between processes that share processors in which every rank reads what all gave, in
 * the memory that the leaders of their clusters share: one meeting, in place of a wait for each
 * round of messages. */
#include <base/mem.h>

#include "coll/engine.h"
#include "coll/forms.h"
#include "coll/round.h"
#include "coll/segment.h"

/* By another algorithm where the machine has no place for one more communicator. */
static bool all_meet(struct mpi_coll *c, const struct mpi_segment_form *form)
{
    if (!mpi_segment_join(c))
        return false;
    if (!mpi_coll_segment(c)->shared) {
        mpi_coll_otherwise(c);
        return true;
    }
    mpu_segment_show(mpi_coll_segment(c), c->p->rank, c);
    mpi_segment_meet(c, true);
    return mpi_segment_end(c, form);
}

/* Allgather: a leader gives, of each member of its cluster, the mark of its elements, and behind
 * them all their data, packed. */

enum { BLOCKS_AT = 8 };

static uint64_t marks_bytes(int members)
{
    return ((uint64_t)members * sizeof(uint16_t) + 7) / 8 * 8;
}

static bool gathers(const struct mpi_coll *c)
{
    uint64_t members = (uint64_t)c->comm->fullest;
    return c->blocking && mpi_segment_shared(c) && c->bytes <= mpi_segment_limit(c) / members &&
           marks_bytes(c->comm->fullest) <= MPU_SEGMENT_HEAD;
}

static const struct mpi_coll *member(const struct mpi_coll *c, int i)
{
    return mpu_segment_shown(mpi_coll_segment(c), i);
}

static void give_members(struct mpi_coll *c, uint8_t *to)
{
    int n = mpi_coll_segment(c)->members;
    uint64_t marks = marks_bytes(c->comm->fullest);
    uint8_t *data = to + marks;
    for (int i = 0; i < n; i++) {
        const struct mpi_elements own = mpi_coll_allgather_own(member(c, i));
        mpi_coll_pack(&own, data + (uint64_t)i * c->bytes);
    }
    for (int i = 0; i < n; i++)
        ((uint16_t *)(void *)to)[i] = member(c, i)->messages.element;
}

static void take_all(struct mpi_coll *c)
{
    const struct mpu_segment *s = mpi_coll_segment(c);
    uint64_t marks = marks_bytes(c->comm->fullest);
    if (!c->bytes)
        return;
    for (int i = 0; i < c->size; i++) {
        struct mpu_position at = s->position[i];
        const uint8_t *from = mpu_leaders_given(s, at.cluster);
        struct mpi_elements to = mpi_coll_block(&c->recv, i);
        if (i != c->rank)
            mpi_coll_unpack(from + marks + (uint64_t)at.member * c->bytes, &to);
        else if (!c->in_place)
            mpi_coll_copy(c, mpi_coll_allgather_own(c), to);
        mpi_coll_compare(c, ((const uint16_t *)(const void *)from)[at.member], to.type);
    }
}

static bool allgather(struct mpi_coll *c)
{
    static const struct mpi_segment_form form = {
        .head = BLOCKS_AT, .give = give_members, .take = take_all};
    return all_meet(c, &form);
}

const struct mpi_coll_algorithm mpi_coll_allgather_segment = {
    MPI_COLL_NAMED("allgather-segment"), .applies = gathers, .meet = allgather};

/* Alltoall, of processes with a rank each: a rank gives the mark of its elements, and behind it its
 * blocks for the others, packed. */

static bool exchanges(const struct mpi_coll *c)
{
    return c->blocking && c->comm->fullest == 1 && mpi_segment_shared(c) &&
           c->bytes <= mpi_segment_limit(c) / (uint64_t)c->size;
}

static void give_blocks(struct mpi_coll *c, uint8_t *to)
{
    for (int i = 0; i < c->size; i++) {
        struct mpi_elements out = mpi_coll_alltoall_out(c, i);
        uint64_t bytes = mpi_elements_bytes(out);
        if (bytes != c->bytes)
            mpi_coll_fail(c, bytes > c->bytes ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT);
        else if (i != c->rank)
            mpi_coll_pack(&out, to + BLOCKS_AT + (uint64_t)i * bytes);
    }
    *(uint16_t *)(void *)to = c->messages.element;
}

static void take_blocks(struct mpi_coll *c)
{
    const struct mpu_segment *s = mpi_coll_segment(c);
    if (!c->bytes)
        return;
    for (int i = 0; i < c->size; i++) {
        const uint8_t *from = mpu_leaders_given(s, s->position[i].cluster);
        struct mpi_elements to = mpi_coll_block(&c->recv, i);
        if (i != c->rank)
            mpi_coll_unpack(from + BLOCKS_AT + (uint64_t)c->rank * c->bytes, &to);
        else if (!c->in_place)
            mpi_coll_copy(c, mpi_coll_alltoall_out(c, i), to);
        mpi_coll_compare(c, *(const uint16_t *)(const void *)from, to.type);
    }
}

static bool alltoall(struct mpi_coll *c)
{
    static const struct mpi_segment_form form = {
        .head = BLOCKS_AT, .give = give_blocks, .take = take_blocks};
    return all_meet(c, &form);
}

const struct mpi_coll_algorithm mpi_coll_alltoall_segment = {
    MPI_COLL_NAMED("alltoall-segment"), .applies = exchanges, .meet = alltoall};

/* Scan and Exscan, of processes with a rank each: a rank reduces what those before it gave. */

static bool scans(const struct mpi_coll *c)
{
    return c->blocking && c->comm->fullest == 1 && mpi_segment_shared(c) &&
           c->bytes <= mpi_segment_limit(c) && c->op->handle &&
           c->recv.extent == c->recv.type->size;
}

static void give_vector(struct mpi_coll *c, uint8_t *to)
{
    if (c->bytes)
        memcpy(to, c->in_place ? c->recv.buf : c->send.buf, c->bytes);
}

static const void *given_by(const struct mpi_coll *c, int rank)
{
    return mpu_leaders_given(mpi_coll_segment(c), mpi_coll_segment(c)->position[rank].cluster);
}

/* What the ranks 0 .. last gave. */
static void take_up_to(struct mpi_coll *c, int last)
{
    if (!c->bytes || last < 0)
        return;
    memcpy(c->recv.buf, given_by(c, last), c->bytes);
    for (int i = last - 1; i >= 0; i--)
        mpi_op_apply(c->op, c->recv.type, given_by(c, i), c->recv.buf, c->recv.count);
}

static void take_own_too(struct mpi_coll *c)
{
    take_up_to(c, c->rank);
}

static void take_before(struct mpi_coll *c)
{
    take_up_to(c, c->rank - 1);
}

static bool scan(struct mpi_coll *c)
{
    static const struct mpi_segment_form form = {.give = give_vector, .take = take_own_too};
    return all_meet(c, &form);
}

static bool exscan(struct mpi_coll *c)
{
    static const struct mpi_segment_form form = {.give = give_vector, .take = take_before};
    return all_meet(c, &form);
}

const struct mpi_coll_algorithm mpi_coll_scan_segment = {MPI_COLL_NAMED("scan-segment"),
                                                         .applies = scans, .meet = scan};

const struct mpi_coll_algorithm mpi_coll_exscan_segment = {MPI_COLL_NAMED("exscan-segment"),
                                                           .applies = scans, .meet = exscan};
