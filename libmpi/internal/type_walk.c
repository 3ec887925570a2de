/* SPDX-License-Identifier: MIT */
/* Recursion over the tree of a type; its depth is bounded by MPI_TYPE_DEPTH_MAX. What lies before
 * the wanted bytes is passed over by division, in irregular types by bisection, never by looking at
 * it. Where a whole level is evenly spaced runs it becomes one strip. */
#include "internal/type_walk.h"

static void piece(struct mpi_walk *w, const struct mpi_strip *s, uint64_t blocks, uint64_t skip,
                  uint64_t bytes)
{
    struct mpi_strip p = *s;
    p.at += skip;
    p.blocks = blocks;
    p.bytes = bytes;
    w->left -= blocks * bytes;
    w->visit(w, &p);
}

/* What of the strip is wanted: the end of a block, whole blocks, the begin of a block. */
static void strip(struct mpi_walk *w, struct mpi_strip s)
{
    if (w->skip >= s.blocks * s.bytes) {
        w->skip -= s.blocks * s.bytes;
        return;
    }
    if (w->skip) {
        uint64_t i = w->skip / s.bytes, into = w->skip % s.bytes;
        w->skip = 0;
        s.at += i * (uint64_t)s.stride;
        s.blocks -= i;
        if (into) {
            uint64_t n = s.bytes - into;
            piece(w, &s, 1, into, n < w->left ? n : w->left);
            s.at += (uint64_t)s.stride;
            s.blocks--;
        }
    }
    uint64_t whole = s.blocks * s.bytes <= w->left ? s.blocks : w->left / s.bytes;
    if (whole)
        piece(w, &s, whole, 0, s.bytes);
    if (whole < s.blocks && w->left) {
        s.at += whole * (uint64_t)s.stride;
        piece(w, &s, 1, 0, w->left);
    }
}

/* Elements of t are runs that need no further descent. */
static bool is_leaf(const struct mpi_walk *w, const struct mpi_type *t)
{
    return t->kind == MPI_KIND_BASIC || (!w->by_basic && t->flags & MPI_TYPE_RUN);
}

static void leaf(struct mpi_walk *w, const struct mpi_type *t, uint64_t count, uintptr_t at)
{
    struct mpi_strip s = {at, count, (uint64_t)t->size, t->size, t};
    if (t->kind != MPI_KIND_BASIC) {
        struct mpi_bounds b = mpi_type_bounds(t);
        s.at += (uint64_t)b.true_lb;
        s.stride = b.extent;
    }
    if (!w->by_basic && s.stride == t->size) {
        s.bytes *= count;
        s.blocks = 1;
    }
    strip(w, s);
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
            strip(w, (struct mpi_strip){at + (uint64_t)b.true_lb, n, bytes, stride, NULL});
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
    MPI_Count i = 0;
    if (w->skip) {
        i = find_block(w, b, (uint64_t)c->size);
        w->skip -= (uint64_t)mpi_blocks_before(b, i) * (uint64_t)c->size;
    }
    for (; i < b->count && w->left; i++)
        mpi_type_walk(w, c, mpi_blocks_before(b, i + 1) - mpi_blocks_before(b, i),
                      at + (uint64_t)(b->displacement[i] * b->unit));
}

static void walk_struct(struct mpi_walk *w, const struct mpi_type *t, uintptr_t at)
{
    const struct mpi_blocks *b = t->blocks;
    for (MPI_Count i = 0; i < b->count && w->left; i++)
        mpi_type_walk(w, b->types[i], mpi_blocks_before(b, i + 1) - mpi_blocks_before(b, i),
                      at + (uint64_t)b->displacement[i]);
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
