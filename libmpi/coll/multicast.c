/* SPDX-License-Identifier: MIT */
/* Broadcast between processes that share memory: the root leaves its data there, and goes on; every
 * other rank, of whatever process, takes it when it comes (mpiutil/multicast.h). */
#include <mpiutil/multicast.h>

#include "coll/agree.h"
#include "coll/forms.h"
#include "coll/round.h"
#include "coll/segment.h"

static bool applies(const struct mpi_coll *c)
{
    return c->blocking && c->comm->clusters > 1 && mpi_segment_shared(c);
}

static void pack(void *coll, uint64_t at, uint64_t n, void *piece)
{
    const struct mpi_side *s = &((struct mpi_coll *)coll)->recv;
    mpi_type_pack(s->type, s->count, s->buf, at, n, piece);
}

static void unpack(void *coll, uint64_t at, uint64_t n, void *piece)
{
    const struct mpi_side *s = &((struct mpi_coll *)coll)->recv;
    mpi_type_unpack(s->type, s->count, s->buf, at, n, piece);
}

/* Who has waited for long asks the root; the root those who may be late. */
static bool cancelled(void *arg)
{
    struct mpi_coll *c = arg;
    for (int i = 0; i < c->size && mpi_coll_stalled(c); i++)
        if (i != c->rank && (c->role == MPI_ROLE_ROOT || i == c->root))
            c->p->checker->hooks->query(c, mpu_comm_world(&c->comm->coll, i));
    return mpi_coll_cancelled(c);
}

static void cast(struct mpi_coll *c)
{
    bool root = c->role == MPI_ROLE_ROOT;
    MPI_Aint offset = 0;
    struct mpi_elements data = mpi_coll_whole(&c->recv);
    bool run = c->bytes && mpi_type_run(data.type, data.count, &offset);
    struct mpu_visit *visit = mpi_segment_visit(c, cancelled);
    struct mpu_cast x = {.number = mpi_segment_number(c),
                         .rank = c->rank,
                         .root = c->root,
                         .visit = visit,
                         .place = &c->comm->cast,
                         .run = run ? (uint8_t *)data.buf + offset : NULL,
                         .move = root ? pack : unpack,
                         .data = c,
                         .mark = c->bytes ? c->messages.element : 0};
    if (visit->left || !mpu_multicast(mpi_coll_segment(c), c->p->rank, &x))
        mpi_segment_break(c, &x.outcome);
    else if (!root)
        mpi_coll_compare(c, x.mark, data.type);
}

static const struct mpi_segment_form form = {.fits = mpi_segment_has_place, .instead = cast};

const struct mpi_coll_algorithm mpi_coll_bcast_multicast = {
    MPI_COLL_NAMED("bcast-multicast"), .applies = applies, .meet = mpi_segment_run, .form = &form};
