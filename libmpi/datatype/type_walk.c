/* SPDX-License-Identifier: MIT */
/* Recursion over the tree of a type; its depth is bounded by MPI_TYPE_DEPTH_MAX. */
#include "datatype/type_walk.h"

static void walk_vector(struct mpi_walk *w, const struct mpi_type *t, uintptr_t at)
{
    MPI_Aint stride = mpi_type_stride(t);
    for (MPI_Count i = 0; i < t->vector.count; i++)
        mpi_type_walk(w, t->child, t->vector.blocklength, at + (uintptr_t)(i * stride));
}

static void walk_blocks(struct mpi_walk *w, const struct mpi_type *t, uintptr_t at)
{
    const struct mpi_blocks *b = t->blocks;
    for (MPI_Count i = 0; i < b->count; i++)
        mpi_type_walk(w, b->types ? b->types[i] : t->child,
                      mpi_blocks_before(b, i + 1) - mpi_blocks_before(b, i),
                      at + (uintptr_t)(b->displacement[i] * b->unit));
}

static void walk_same(struct mpi_walk *w, const struct mpi_type *t, uintptr_t at)
{
    mpi_type_walk(w, t->child, 1, at);
}

typedef void walk_one(struct mpi_walk *w, const struct mpi_type *t, uintptr_t at);
static walk_one *const one[] = {[MPI_KIND_VECTOR] = walk_vector,
                                [MPI_KIND_BLOCKS] = walk_blocks,
                                [MPI_KIND_STRUCT] = walk_blocks,
                                [MPI_KIND_RESIZED] = walk_same,
                                [MPI_KIND_ALIAS] = walk_same};

void mpi_type_walk(struct mpi_walk *w, const struct mpi_type *t, MPI_Count count, uintptr_t at)
{
    if (count == 0 || t->size == 0)
        return;
    if (t->kind == MPI_KIND_BASIC) {
        w->visit(w, at, (uint64_t)count, t);
        return;
    }
    MPI_Aint extent = mpi_type_extent(t);
    for (MPI_Count i = 0; i < count; i++)
        one[t->kind](w, t, at + (uintptr_t)(i * extent));
}
