/* SPDX-License-Identifier: MIT */
/* Allreduce. */
#include "coll/forms.h"
#include "coll/forum.h"
#include "coll/hall.h"
#include "coll/peer.h"
#include "coll/round.h"
#include "coll/vectors.h"

static const uint8_t *contribution(const struct mpi_coll *c)
{
    return c->in_place ? c->recv.buf : c->send.buf;
}

static int begin(struct mpi_coll *c)
{
    return mpi_coll_vectors(c, c->recv.type, c->recv.count, contribution(c), c->recv.buf);
}

static MPI_Count length(const struct mpi_coll *c)
{
    return c->recv.count;
}

/* Ranks beyond the largest power of two, `extra` of them, fold into a neighbour first and get the
 * result from it at the end, so that all steps join neighbouring parts of the rank order. */
struct place {
    int extra, power, number; /* number among the power of two that go on; -1: waits */
};

static struct place place(const struct mpi_coll *c)
{
    struct place p = {.power = 1};
    while (2 * p.power <= c->size)
        p.power *= 2;
    p.extra = c->size - p.power;
    if (c->rank >= 2 * p.extra)
        p.number = c->rank - p.extra;
    else
        p.number = c->rank % 2 ? -1 : c->rank / 2;
    return p;
}

static int rank_of(const struct place *p, int number)
{
    return number < p->extra ? 2 * number : number + p->extra;
}

static int unite(struct mpi_coll *c, const struct place *p, int bit)
{
    const struct mpu_comm *on = &c->comm->coll;
    int other = rank_of(p, p->number ^ bit);
    int rc = mpi_coll_recv_in(c, on, other, other < c->rank ? MPI_FOLD_BEFORE : MPI_FOLD_AFTER);
    return mpi_coll_more(rc ? rc : mpi_coll_send_acc(c, on, other));
}

/* Round 0: the extra ranks; round k: with the one whose number differs in bit k - 1; last: back. */
static int doubling(struct mpi_coll *c, int k)
{
    const struct mpu_comm *on = &c->comm->coll;
    struct place p = place(c);
    int rc = k ? mpi_coll_fold(c) : begin(c);
    if (rc)
        return rc;
    if (k == 0 && p.number < 0)
        return mpi_coll_more(mpi_coll_send_acc(c, on, c->rank - 1));
    if (k == 0 && c->rank < 2 * p.extra)
        return mpi_coll_more(mpi_coll_recv_in(c, on, c->rank + 1, MPI_FOLD_AFTER));
    if (k == 0)
        return MPI_COLL_MORE;
    int bit = 1 << (k - 1);
    if (bit < p.power)
        return p.number < 0 ? MPI_COLL_MORE : unite(c, &p, bit);
    if (bit == p.power && c->rank < 2 * p.extra)
        return mpi_coll_more(p.number < 0 ? mpi_coll_recv_in(c, on, c->rank - 1, MPI_FOLD_REPLACE)
                                          : mpi_coll_send_acc(c, on, c->rank + 1));
    mpi_coll_home(c);
    return MPI_COLL_DONE;
}

static const struct mpi_coll_algorithm recursive = {.name = "allreduce-doubling",
                                                    .counter = "coll.allreduce-doubling",
                                                    .round = doubling,
                                                    .length = length};

static bool large(const struct mpi_coll *c)
{
    return c->bytes >= mpi_coll_limit(c, MPU_TUNE_ALLREDUCE_PARTS) && c->op->commutative &&
           c->size > 2 && c->recv.count >= c->size;
}

/* Part i of a vector, as many as there are ranks. */
static struct mpi_elements whole(const struct mpi_coll *c, const uint8_t *vector, int i)
{
    MPI_Count from = c->recv.count * i / c->size, to = c->recv.count * (i + 1) / c->size;
    return (struct mpi_elements){(void *)(uintptr_t)(vector + from * c->recv.extent), to - from,
                                 c->recv.type};
}

static struct mpi_elements part(const struct mpi_coll *c, const uint8_t *vector, int i)
{
    return mpi_coll_piece(c, whole(c, vector, i));
}

static MPI_Count longest(const struct mpi_coll *c)
{
    return (c->recv.count + c->size - 1) / c->size;
}

/* In step s part i goes straight to rank i from the one s before it, which reduces it. */
static int reduce_parts(struct mpi_coll *c, int k)
{
    const struct mpu_comm *on = &c->comm->coll;
    int size = c->size, me = c->rank, step = k + 1, to = (me + step) % size;
    struct mpi_elements own = whole(c, contribution(c), me);
    int rc = k ? mpi_coll_fold(c)
               : mpi_coll_vectors(c, own.type, own.count, own.buf, whole(c, c->recv.buf, me).buf);
    if (rc || step == size)
        return rc ? rc : MPI_COLL_DONE;
    rc = mpi_coll_recv_in(c, on, (me + size - step) % size, MPI_FOLD_AFTER);
    return mpi_coll_more(rc ? rc : mpi_coll_send(c, on, to, 0, part(c, contribution(c), to)));
}

static int parts(struct mpi_coll *c, int k)
{
    const struct mpu_comm *on = &c->comm->coll;
    int size = c->size, me = c->rank;
    if (c->phase == 0) {
        int rc = reduce_parts(c, k);
        if (rc != MPI_COLL_DONE)
            return rc;
        mpi_coll_home(c);
        return mpi_coll_phase(c);
    }
    if (k == size - 1)
        return MPI_COLL_DONE;
    int rc = mpi_coll_recv(c, on, (me + size - 1) % size, 1,
                           part(c, c->recv.buf, (me + 2 * size - k - 1) % size));
    if (!rc)
        rc = mpi_coll_send(c, on, (me + 1) % size, 1, part(c, c->recv.buf, (me + size - k) % size));
    return mpi_coll_more(rc);
}

static const struct mpi_coll_algorithm by_parts = {.name = "allreduce-parts",
                                                   .counter = "coll.allreduce-parts",
                                                   .applies = large,
                                                   .round = parts,
                                                   .length = longest};

/* Each group reduces to its first member; these exchange, and tell their groups. */
static int leaders(struct mpi_coll *c, int k)
{
    int rc = k || c->phase ? 0 : begin(c);
    if (rc)
        return rc;
    if (c->phase == 0)
        rc = mpi_coll_reduce_tree(c, &c->comm->local, 0, k);
    else if (c->phase == 1)
        rc = mpi_coll_leaders_swap(c, k);
    else
        return mpi_coll_tree_down(c, &c->comm->local, 0, k, mpi_coll_shape(c, c->home));
    if (rc != MPI_COLL_DONE)
        return rc;
    if (c->phase == 1 && c->rank == 0)
        mpi_coll_home(c);
    return mpi_coll_phase(c);
}

static const struct mpi_coll_algorithm inter = {.name = "allreduce-leaders",
                                                .counter = "coll.allreduce-leaders",
                                                .round = leaders,
                                                .length = length};

const struct mpi_coll_kind mpi_coll_allreduce = {
    .id = MPI_COLL_ALLREDUCE,
    .alike = true,
    .choice = MPI_CHOICE_ALLREDUCE,
    .check = mpi_coll_check_vectors,
    .intra = (const struct mpi_coll_algorithm *const[]){&mpi_coll_allreduce_hall,
                                                        &mpi_coll_allreduce_forum,
                                                        &mpi_coll_allreduce_peer, &by_parts,
                                                        &recursive, NULL},
    .inter = (const struct mpi_coll_algorithm *const[]){&inter, NULL}};
