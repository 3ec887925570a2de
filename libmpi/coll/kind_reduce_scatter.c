/* SPDX-License-Identifier: MIT */
/* Reduce_scatter and Reduce_scatter_block: the vector has one part per rank of the own group. */
#include <base/error.h>

#include "coll/coll.h"

#define LARGE (8 * 1024)

static MPI_Count length(const struct mpi_coll *c, int i)
{
    return c->recv.counts.at ? mpi_number(&c->recv.counts, i) : c->recv.count;
}

static MPI_Count before(const struct mpi_coll *c, int i)
{
    MPI_Count n = 0;
    if (!c->recv.counts.at)
        return i * c->recv.count;
    while (i-- > 0)
        n += length(c, i);
    return n;
}

/* All counts, and their sum; in *all. */
static int check_counts(struct mpi_coll *c, const struct mpi_coll_side_args *a, MPI_Count *all)
{
    if (a->shape != MPI_COLL_EVEN && !a->counts.at)
        return mpi_error(c->comm, MPI_ERR_ARG, c->call, "recvcounts is a null pointer");
    *all = 0;
    for (int i = 0; i < c->size; i++) {
        MPI_Count n = a->counts.at ? mpi_number(&a->counts, i) : a->count;
        if (n < 0 || __builtin_add_overflow(*all, n, all))
            return mpi_error(c->comm, MPI_ERR_COUNT, c->call,
                             "count %lld of rank %d is negative or too large", (long long)n, i);
    }
    return MPI_SUCCESS;
}

/* send: the whole vector, also in place; recv: the own part. */
static int check(struct mpi_coll *c, const struct mpi_coll_args *a)
{
    c->in_place = a->send.buf == MPI_IN_PLACE && !c->comm->inter;
    struct mpi_coll_side_args part = a->recv, whole = a->recv;
    int rc = check_counts(c, &a->recv, &whole.count);
    if (rc)
        return rc;
    part.count = a->recv.counts.at ? mpi_number(&a->recv.counts, c->rank) : a->recv.count;
    part.shape = whole.shape = MPI_COLL_EVEN; /* recv keeps the array all the same */
    whole.buf = c->in_place ? a->recv.buf : a->send.buf;
    if ((rc = mpi_coll_check_side(c, &c->recv, &part, MPI_COLL_ONE, "recvbuf")) ||
        (rc = mpi_coll_check_side(c, &c->send, &whole, MPI_COLL_ONE, "sendbuf")) ||
        (rc = mpi_coll_check_apart(c, a)))
        return rc;
    c->bytes = (uint64_t)c->send.count * (uint64_t)c->send.type->size;
    return mpi_coll_check_op(c, a->op, c->recv.type);
}

/* Part i of a vector. */
static struct mpi_data part(const struct mpi_coll *c, const uint8_t *vector, int i)
{
    return (struct mpi_data){
        (void *)((uintptr_t)vector + (uintptr_t)(before(c, i) * c->recv.extent)), length(c, i),
        c->recv.type};
}

static struct mpi_data own(const struct mpi_coll *c)
{
    return (struct mpi_data){c->recv.buf, length(c, c->rank), c->recv.type};
}

/* Member 0 of the local group has the result in acc and sends every member its part. */
static int hand_out(struct mpi_coll *c, int k)
{
    const struct mpu_comm *on = &c->comm->local;
    int rc = mpi_coll_reserve(c, MPI_COLL_WINDOW), from = 1 + k * MPI_COLL_WINDOW;
    if (c->rank)
        return k ? MPI_COLL_DONE : mpi_coll_more(mpi_coll_recv(c, on, 0, 1, own(c)));
    if (from >= c->size) {
        mpi_coll_copy(c, part(c, c->acc, 0), own(c));
        return MPI_COLL_DONE;
    }
    for (int i = from; i < from + MPI_COLL_WINDOW && i < c->size && !rc; i++)
        rc = mpi_coll_send(c, on, i, 1, part(c, c->acc, i));
    return mpi_coll_more(rc);
}

/* Reduce, then scatter; two groups exchange their results in between. */
static int by_tree(struct mpi_coll *c, int k)
{
    int rc = MPI_COLL_DONE;
    if (k == 0 && c->phase == 0)
        rc = mpi_coll_vectors(c, c->send.type, c->send.count, c->send.buf, NULL);
    if (rc)
        return rc;
    if (c->phase == 0)
        rc = mpi_coll_reduce_tree(c, &c->comm->local, 0, k);
    else if (c->phase == 1 && c->comm->inter)
        rc = mpi_coll_leaders_swap(c, k);
    else if (c->phase == 2)
        return hand_out(c, k);
    return rc == MPI_COLL_DONE ? mpi_coll_phase(c) : rc;
}

static const struct mpi_coll_algorithm tree = {
    .name = "reduce-scatter-tree", .counter = "coll.reduce-scatter-tree", .round = by_tree};

static bool large(const struct mpi_coll *c)
{
    return c->bytes >= LARGE && c->op->commutative;
}

/* In step s every rank sends the part of the rank s ahead straight to it. */
static int parts(struct mpi_coll *c, int k)
{
    const struct mpu_comm *on = &c->comm->coll;
    int size = c->size, me = c->rank, step = k + 1, to = (me + step) % size;
    struct mpi_data mine = part(c, c->send.buf, me);
    int rc =
        k ? mpi_coll_fold(c)
          : mpi_coll_vectors(c, mine.type, mine.count, mine.buf, c->in_place ? NULL : c->recv.buf);
    if (rc)
        return rc;
    if (step >= size) {
        mpi_coll_copy(c, mpi_coll_shape(c, c->acc), own(c));
        return MPI_COLL_DONE;
    }
    rc = mpi_coll_recv_in(c, on, (me + size - step) % size, MPI_FOLD_AFTER);
    return mpi_coll_more(rc ? rc : mpi_coll_send(c, on, to, 0, part(c, c->send.buf, to)));
}

static const struct mpi_coll_algorithm by_parts = {.name = "reduce-scatter-parts",
                                                   .counter = "coll.reduce-scatter-parts",
                                                   .applies = large,
                                                   .round = parts};

const struct mpi_coll_kind mpi_coll_reduce_scatter = {
    .choice = MPI_CHOICE_REDUCE_SCATTER,
    .check = check,
    .intra = (const struct mpi_coll_algorithm *const[]){&by_parts, &tree, NULL},
    .inter = (const struct mpi_coll_algorithm *const[]){&tree, NULL}};

const struct mpi_coll_kind mpi_coll_reduce_scatter_block = {
    .choice = MPI_CHOICE_REDUCE_SCATTER_BLOCK,
    .check = check,
    .intra = (const struct mpi_coll_algorithm *const[]){&by_parts, &tree, NULL},
    .inter = (const struct mpi_coll_algorithm *const[]){&tree, NULL}};
