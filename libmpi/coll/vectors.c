/* SPDX-License-Identifier: MIT */
/* What reductions are made of: vectors, how one is folded into another, the tree. */
#include <base/error.h>
#include <mpiutil/machine.h>

#include "coll/round.h"
#include "coll/vectors.h"

/* Elements may lie before their address and overlap the next: bytes from the lowest one on. */
uint8_t *mpi_coll_vector(struct mpi_coll *c, MPI_Count count)
{
    struct mpi_bounds b = mpi_type_bounds(c->vector.type);
    MPI_Aint last = (count ? count - 1 : 0) * b.extent;
    MPI_Aint low = b.true_lb + (last < 0 ? last : 0);
    MPI_Aint high = b.true_lb + b.true_extent + (last > 0 ? last : 0);
    uint8_t *memory = mpi_coll_temp(c, (uint64_t)(high - low));
    return memory ? (uint8_t *)((uintptr_t)memory - (uintptr_t)low) : NULL;
}

#define BLOCK      64 /* the heap's word before each block: with it, it fills whole pages */
#define SHARE_MOST (UINT64_C(1) << 20) /* more than that leaves the caches */

uint64_t mpi_coll_share(void)
{
    uint64_t share = mpu_info()->compute_memory / 256;
    return (share < SHARE_MOST ? share : SHARE_MOST) - BLOCK;
}

MPI_Count mpi_coll_chunk_of(const struct mpi_coll *c)
{
    const struct mpi_type *type = mpi_coll_operand(c)->type;
    if (type->kind == MPI_KIND_BASIC && c->bytes <= mpi_coll_share())
        return INT64_MAX; /* all of it */
    struct mpi_bounds b = mpi_type_bounds(type);
    uint64_t step = (uint64_t)(b.extent < 0 ? -b.extent : b.extent);
    uint64_t bytes = step > (uint64_t)type->size ? step : (uint64_t)type->size;
    uint64_t n = bytes ? mpi_coll_share() / bytes : INT64_MAX;
    return n ? (MPI_Count)n : 1;
}

struct mpi_elements mpi_coll_chunk(const struct mpi_coll *c, struct mpi_elements d)
{
    MPI_Count at = c->chunk.at < d.count ? c->chunk.at : d.count, n = d.count - at;
    MPI_Aint skipped = at ? at * mpi_type_bounds(d.type).extent : 0;
    return (struct mpi_elements){(void *)((uintptr_t)d.buf + (uintptr_t)skipped),
                                 n < c->chunk.n ? n : c->chunk.n, d.type};
}

void mpi_coll_vectors(struct mpi_coll *c, struct mpi_elements contribution, void *home)
{
    const struct mpi_elements own = mpi_coll_chunk(c, contribution);
    contribution.buf = home;
    c->vector.type = own.type;
    c->vector.count = own.count;
    c->vector.acc = own.buf;
    c->vector.home = home ? mpi_coll_chunk(c, contribution).buf : NULL;
    c->vector.mine = c->vector.acc == c->vector.home;
    c->vector.in = c->vector.mine ? NULL : c->vector.home;
    c->vector.spare = NULL;
    c->vector.fold = MPI_FOLD_NOTHING;
}

void mpi_coll_begin_vectors(struct mpi_coll *c)
{
    mpi_coll_vectors(c, mpi_coll_whole(mpi_coll_operand(c)), c->recv.type ? c->recv.buf : NULL);
}

MPI_Count mpi_coll_count(const struct mpi_coll *c)
{
    return mpi_coll_operand(c)->count;
}

int mpi_coll_recv_in(struct mpi_coll *c, const struct mpu_comm *on, int from,
                     enum mpi_coll_fold how)
{
    if (!c->vector.in && !(c->vector.in = mpi_coll_vector(c, c->vector.count)))
        return -B_ENOMEM;
    c->vector.fold = how;
    return mpi_coll_recv(c, on, from, 0, mpi_coll_shape(c, c->vector.in));
}

void mpi_coll_copy_vector(struct mpi_coll *c, const void *from, void *to)
{
    const struct mpi_elements source = mpi_coll_shape(c, from), place = mpi_coll_shape(c, to);
    mpi_coll_copy(c, &source, &place);
}

/* in becomes acc, what was acc is room for the next. */
static void take(struct mpi_coll *c)
{
    uint8_t *old = c->vector.mine ? c->vector.acc : NULL;
    c->vector.acc = c->vector.in;
    c->vector.mine = true;
    c->vector.in = old;
}

/* An operation leaves its result in the second operand. */
int mpi_coll_fold(struct mpi_coll *c)
{
    enum mpi_coll_fold how = c->vector.fold;
    c->vector.fold = MPI_FOLD_NOTHING;
    if (how == MPI_FOLD_BEFORE && !c->vector.mine) {
        uint8_t *own = mpi_coll_vector(c, c->vector.count);
        if (!own)
            return -B_ENOMEM;
        mpi_coll_copy_vector(c, c->vector.acc, own);
        c->vector.acc = own;
        c->vector.mine = true;
    }
    if (how == MPI_FOLD_BEFORE)
        mpi_op_apply(c->op, c->vector.type, c->vector.in, c->vector.acc, c->vector.count);
    if (how == MPI_FOLD_AFTER)
        mpi_op_apply(c->op, c->vector.type, c->vector.acc, c->vector.in, c->vector.count);
    if (how == MPI_FOLD_AFTER || how == MPI_FOLD_REPLACE)
        take(c);
    return 0;
}

void mpi_coll_home(struct mpi_coll *c)
{
    mpi_coll_copy_vector(c, c->vector.acc, c->vector.home);
}

/* A binomial tree upwards; d takes in what d + 1, d + 2, d + 4 ... collected, which is the next
 * part in the order of d each time. d is the distance from the root, or the rank where the order
 * counts; then rank 0 hands the result to the root. */
int mpi_coll_reduce_tree(struct mpi_coll *c, const struct mpu_comm *on, int root, int k)
{
    int size = on->size, top = c->op->commutative ? root : 0;
    int d = (on->rank + size - top) % size, bit = 1 << k;
    int rc = mpi_coll_fold(c);
    if (rc)
        return rc;
    if (bit < size) {
        if (d & (bit - 1))
            return MPI_COLL_MORE;
        if (d & bit)
            return mpi_coll_more(mpi_coll_send_acc(c, on, (d - bit + top) % size));
        if (d + bit < size)
            rc = mpi_coll_recv_in(c, on, (d + bit + top) % size, MPI_FOLD_AFTER);
        return mpi_coll_more(rc);
    }
    if (top == root || bit / 2 >= size)
        return MPI_COLL_DONE;
    if (on->rank == root)
        rc = mpi_coll_recv_in(c, on, top, MPI_FOLD_REPLACE);
    else if (on->rank == top)
        rc = mpi_coll_send_acc(c, on, root);
    return mpi_coll_more(rc);
}

static int leaders_swap(struct mpi_coll *c, int k)
{
    int rc = mpi_coll_fold(c);
    if (rc || k || c->rank)
        return rc ? rc : MPI_COLL_DONE;
    rc = mpi_coll_recv_in(c, &c->comm->coll, 0, MPI_FOLD_REPLACE);
    return mpi_coll_more(rc ? rc : mpi_coll_send_acc(c, &c->comm->coll, 0));
}

int mpi_coll_reduce_groups(struct mpi_coll *c, int k)
{
    int rc = MPI_COLL_DONE;
    if (c->step.phase == 0)
        rc = mpi_coll_reduce_tree(c, &c->comm->local, 0, k);
    else if (c->comm->inter)
        rc = leaders_swap(c, k);
    return rc == MPI_COLL_DONE ? mpi_coll_phase(c) : rc;
}

int mpi_coll_check_op(struct mpi_coll *c, MPI_Op handle, const struct mpi_type *type)
{
    const struct mpi_op *op;
    int rc = mpi_check_op(c->comm, c->call, handle, type, &op);
    if (rc)
        return rc;
    c->op = op;
    mpi_op_retain(op);
    return MPI_SUCCESS;
}
