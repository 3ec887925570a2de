/* SPDX-License-Identifier: MIT */
#include "datatype/type_array.h"

int mpi_layout_begin(struct mpi_layout *l, const struct mpi_maker *m, const struct mpi_type *old)
{
    *l = (struct mpi_layout){m, old, mpi_type_extent(old), 0};
    mpi_type_retain(old);
    return MPI_SUCCESS;
}

void mpi_layout_drop(struct mpi_layout *l)
{
    mpi_type_release(l->m->p, l->type);
}

/* The layout becomes `made`, which holds what it was. */
static int next(struct mpi_layout *l, int rc, struct mpi_type *made)
{
    if (rc)
        return rc;
    mpi_type_release(l->m->p, l->type);
    l->type = made;
    return MPI_SUCCESS;
}

static int repeat(struct mpi_layout *l, MPI_Count n, MPI_Aint stride)
{
    struct mpi_type *made = NULL;
    if (n == 1)
        return MPI_SUCCESS;
    int rc = mpi_make_vector(l->m, MPI_COMBINER_HVECTOR, n, 1, stride, l->type, &made);
    return next(l, rc, made);
}

static int too_large(struct mpi_layout *l)
{
    return mpi_error(NULL, MPI_ERR_COUNT, l->m->call, "the array spans more than memory holds");
}

static int grow(struct mpi_layout *l, MPI_Count size, MPI_Count start)
{
    MPI_Aint before;
    if (__builtin_mul_overflow(start, l->stride, &before) ||
        __builtin_add_overflow(l->offset, before, &l->offset) ||
        __builtin_mul_overflow(l->stride, size, &l->stride))
        return too_large(l);
    return MPI_SUCCESS;
}

int mpi_layout_block(struct mpi_layout *l, MPI_Count size, MPI_Count start, MPI_Count n)
{
    int rc = repeat(l, n, l->stride);
    return rc ? rc : grow(l, size, start);
}

/* Full blocks `apart`, then a shorter one. */
static int blocks_and_rest(struct mpi_layout *l, MPI_Count full, MPI_Count block, MPI_Count rest,
                           MPI_Aint apart)
{
    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {0, full * apart};
    struct mpi_type *piece, *made = NULL;
    int rc = mpi_make_vector(l->m, MPI_COMBINER_HVECTOR, rest, 1, l->stride, l->type, &piece);
    if (rc)
        return rc;
    mpi_type_retain(l->type); /* for `whole`, which grows from the same layout */
    struct mpi_layout whole = *l;
    rc = repeat(&whole, block, l->stride);
    if (!rc)
        rc = repeat(&whole, full, apart);
    if (!rc) {
        const struct mpi_type *types[] = {whole.type, piece};
        struct mpi_blocks_args a = {.combiner = MPI_COMBINER_STRUCT,
                                    .count = 2,
                                    .lengths = {lengths, false},
                                    .displacements = MPI_ARRAY(places),
                                    .types = types};
        rc = mpi_make_blocks(l->m, &a, &made);
    }
    mpi_layout_drop(&whole);
    mpi_type_release(l->m->p, piece);
    return next(l, rc, made);
}

int mpi_layout_cyclic(struct mpi_layout *l, MPI_Count size, MPI_Count block, MPI_Count processes,
                      MPI_Count mine)
{
    MPI_Count start, turn;
    MPI_Aint apart;
    if (__builtin_mul_overflow(mine, block, &start) ||
        __builtin_mul_overflow(processes, block, &turn) ||
        __builtin_mul_overflow(turn, l->stride, &apart))
        return too_large(l);
    if (start >= size)
        return mpi_layout_block(l, size, 0, 0);
    MPI_Count full = (size - start) / turn, rest = (size - start) % turn;
    if (rest >= block) {
        full++;
        rest = 0;
    }
    int rc;
    if (rest && full)
        rc = blocks_and_rest(l, full, block, rest, apart);
    else {
        rc = repeat(l, rest ? rest : block, l->stride);
        if (!rc && full)
            rc = repeat(l, full, apart);
    }
    return rc ? rc : grow(l, size, start);
}

int mpi_layout_end(struct mpi_layout *l, int combiner, const struct mpi_type *old,
                   const MPI_Count *args, MPI_Count n, struct mpi_type **made)
{
    struct mpi_type *t = NULL;
    int rc = MPI_SUCCESS;
    if (l->offset) {
        struct mpi_blocks_args a = {.combiner = MPI_COMBINER_HINDEXED_BLOCK,
                                    .count = 1,
                                    .length = 1,
                                    .displacements = MPI_ARRAY(&l->offset),
                                    .old = l->type};
        rc = mpi_make_blocks(l->m, &a, &t);
        rc = next(l, rc, t);
    }
    if (!rc) {
        rc = mpi_make_resized(l->m, l->type, 0, l->stride, &t);
        rc = next(l, rc, t);
    }
    if (!rc)
        rc = mpi_make_alias(l->m, combiner, l->type, old, args, n, made);
    mpi_layout_drop(l);
    return rc;
}
