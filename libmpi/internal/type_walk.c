/* SPDX-License-Identifier: MIT */
/* Recursion over the tree of a type; its depth is bounded by MPI_TYPE_DEPTH_MAX. What lies before
 * the wanted bytes is passed over by division, in irregular types by bisection, never by looking at
 * it. Where a whole level is evenly spaced runs it becomes one strip. */
#include "internal/type_walk.h"

static void piece(struct mpi_walk *w, uintptr_t at, uint64_t blocks, uint64_t bytes,
                  MPI_Aint stride, const struct mpi_type *basic)
{
    w->left -= blocks * bytes;
    w->visit(w, at, blocks, bytes, stride, basic);
}

/* What of the strip is wanted, if not all: the end of a block, whole blocks, the begin of one. */
static void part_of_strip(struct mpi_walk *w, uintptr_t at, uint64_t blocks, uint64_t bytes,
                          MPI_Aint stride, const struct mpi_type *basic)
{
    if (w->skip >= blocks * bytes) {
        w->skip -= blocks * bytes;
        return;
    }
    uint64_t i = w->skip / bytes, into = w->skip % bytes;
    w->skip = 0;
    at += i * (uint64_t)stride;
    blocks -= i;
    if (into) {
        uint64_t n = bytes - into;
        piece(w, at + into, 1, n < w->left ? n : w->left, stride, basic);
        at += (uint64_t)stride;
        blocks--;
    }
    uint64_t whole = blocks * bytes <= w->left ? blocks : w->left / bytes;
    if (whole)
        piece(w, at, whole, bytes, stride, basic);
    if (whole < blocks && w->left)
        piece(w, at + whole * (uint64_t)stride, 1, w->left, stride, basic);
}

static inline void strip(struct mpi_walk *w, uintptr_t at, uint64_t blocks, uint64_t bytes,
                         MPI_Aint stride, const struct mpi_type *basic)
{
    if (w->skip == 0 && blocks * bytes <= w->left)
        piece(w, at, blocks, bytes, stride, basic);
    else
        part_of_strip(w, at, blocks, bytes, stride, basic);
}

/* Elements of t are runs that need no further descent. */
static bool is_leaf(const struct mpi_walk *w, const struct mpi_type *t)
{
    return t->kind == MPI_KIND_BASIC || (!w->by_basic && t->flags & MPI_TYPE_RUN);
}

static void leaf(struct mpi_walk *w, const struct mpi_type *t, uint64_t count, uintptr_t at)
{
    uint64_t bytes = (uint64_t)t->size;
    MPI_Aint stride = t->size;
    if (t->kind != MPI_KIND_BASIC) {
        struct mpi_bounds b = mpi_type_bounds(t);
        at += (uint64_t)b.true_lb;
        stride = b.extent;
    }
    if (!w->by_basic && stride == t->size)
        strip(w, at, 1, bytes * count, 0, NULL);
    else
        strip(w, at, count, bytes, stride, t);
}

/* n elements of c within something: as below, but for the short way of simple ones. */
static inline void walk_part(struct mpi_walk *w, const struct mpi_type *c, MPI_Count n,
                             uintptr_t at)
{
    if (c->kind == MPI_KIND_BASIC && !w->by_basic) {
        if (n)
            strip(w, at, 1, (uint64_t)(n * c->size), 0, NULL);
    } else
        mpi_type_walk(w, c, n, at);
}

static void walk_vector(struct mpi_walk *w, const struct mpi_type *t, uintptr_t at)
{
    const struct mpi_type *c = t->child;
    uint64_t n = (uint64_t)t->vector.count, m = (uint64_t)t->vector.blocklength;
    uint64_t bytes = m * (uint64_t)c->size;
    MPI_Aint stride = mpi_type_stride(t);
    if (!w->by_basic && c->flags & MPI_TYPE_RUN) {
        struct mpi_bounds b = mpi_type_bounds(c);
        if (m == 1 || b.extent == c->size) {
            strip(w, at + (uint64_t)b.true_lb, n, bytes, stride, NULL);
            return;
        }
    }
    uint64_t i = w->skip / bytes;
    w->skip -= i * bytes;
    for (; i < n && w->left; i++)
        mpi_type_walk(w, c, (MPI_Count)m, at + i * (uint64_t)stride);
}

/* The block that holds byte w->skip; before it lie `bytes` per element. */
static MPI_Count find_block(const struct mpi_walk *w, const struct mpi_blocks *b, uint64_t bytes)
{
    uint64_t element = w->skip / bytes;
    if (!b->first)
        return (MPI_Count)(element / (uint64_t)b->length);
    MPI_Count low = 0, high = b->count;
    while (high - low > 1) {
        MPI_Count middle = low + (high - low) / 2;
        if ((uint64_t)b->first[middle] <= element)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void walk_blocks(struct mpi_walk *w, const struct mpi_type *t, uintptr_t at)
{
    const struct mpi_blocks *b = t->blocks;
    const struct mpi_type *c = t->child;
    MPI_Count i = 0, n = b->length;
    if (w->skip) {
        i = find_block(w, b, (uint64_t)c->size);
        w->skip -= (uint64_t)mpi_blocks_before(b, i) * (uint64_t)c->size;
    }
    for (; i < b->count && w->left; i++) {
        if (b->first)
            n = b->first[i + 1] - b->first[i];
        walk_part(w, c, n, at + (uint64_t)(b->displacement[i] * b->unit));
    }
}

static void walk_struct(struct mpi_walk *w, const struct mpi_type *t, uintptr_t at)
{
    const struct mpi_blocks *b = t->blocks;
    MPI_Count n = b->length;
    for (MPI_Count i = 0; i < b->count && w->left; i++) {
        if (b->first)
            n = b->first[i + 1] - b->first[i];
        walk_part(w, b->types[i], n, at + (uint64_t)b->displacement[i]);
    }
}

static void walk_same(struct mpi_walk *w, const struct mpi_type *t, uintptr_t at)
{
    mpi_type_walk(w, t->child, 1, at);
}

typedef void walk_one(struct mpi_walk *w, const struct mpi_type *t, uintptr_t at);
static walk_one *const one[] = {[MPI_KIND_VECTOR] = walk_vector,
                                [MPI_KIND_BLOCKS] = walk_blocks,
                                [MPI_KIND_STRUCT] = walk_struct,
                                [MPI_KIND_RESIZED] = walk_same,
                                [MPI_KIND_ALIAS] = walk_same};

void mpi_type_walk(struct mpi_walk *w, const struct mpi_type *t, MPI_Count count, uintptr_t at)
{
    uint64_t size = (uint64_t)t->size, n = (uint64_t)count, i = 0;
    if (w->skip >= n * size) {
        w->skip -= n * size;
        return;
    }
    if (is_leaf(w, t)) {
        leaf(w, t, n, at);
        return;
    }
    if (w->skip >= size) {
        i = w->skip / size;
        w->skip -= i * size;
    }
    if (n == 1) {
        one[t->kind](w, t, at);
        return;
    }
    uint64_t extent = (uint64_t)mpi_type_extent(t);
    for (; i < n && w->left; i++)
        one[t->kind](w, t, at + i * extent);
}
