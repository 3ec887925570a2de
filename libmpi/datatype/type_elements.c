/* SPDX-License-Identifier: MIT */
/* Counting basic elements: whole elements of a level by multiplication, the rest below it. */
#include "datatype/type.h"

/* Basic elements of one t. */
static MPI_Count whole(const struct mpi_type *t)
{
    MPI_Count n = 0;
    switch ((enum mpi_type_kind)t->kind) {
    case MPI_KIND_BASIC:
        return 1;
    case MPI_KIND_VECTOR:
        return t->vector.count * t->vector.blocklength * whole(t->child);
    case MPI_KIND_BLOCKS:
        return mpi_blocks_before(t->blocks, t->blocks->count) * whole(t->child);
    case MPI_KIND_STRUCT:
        for (MPI_Count i = 0; i < t->blocks->count; i++)
            n += (mpi_blocks_before(t->blocks, i + 1) - mpi_blocks_before(t->blocks, i)) *
                 whole(t->blocks->types[i]);
        return n;
    case MPI_KIND_RESIZED:
    case MPI_KIND_ALIAS:
        return whole(t->child);
    }
    return 0;
}

/* Something below t in which a position falls: a type, repeated, behind what lies before it. */
struct below {
    const struct mpi_type *type;
    MPI_Count count;
};

/* The parts of one t in their order; false after the last. */
static bool part(const struct mpi_type *t, MPI_Count i, struct below *b)
{
    if (t->kind == MPI_KIND_STRUCT) {
        if (i >= t->blocks->count)
            return false;
        *b = (struct below){t->blocks->types[i],
                            mpi_blocks_before(t->blocks, i + 1) - mpi_blocks_before(t->blocks, i)};
        return true;
    }
    MPI_Count n = t->kind == MPI_KIND_VECTOR   ? t->vector.count * t->vector.blocklength
                  : t->kind == MPI_KIND_BLOCKS ? mpi_blocks_before(t->blocks, t->blocks->count)
                                               : 1;
    *b = (struct below){t->child, n};
    return i == 0;
}

MPI_Count mpi_type_elements(const struct mpi_type *t, uint64_t bytes)
{
    struct below b;
    if (bytes == 0)
        return 0;
    uint64_t size = (uint64_t)t->size;
    if (size == 0)
        return -1;
    MPI_Count n = (MPI_Count)(bytes / size) * whole(t);
    uint64_t rest = bytes % size;
    if (t->kind == MPI_KIND_BASIC)
        return rest ? -1 : n;
    for (MPI_Count i = 0; rest && part(t, i, &b); i++) {
        uint64_t all = (uint64_t)b.type->size * (uint64_t)b.count;
        uint64_t take = rest < all ? rest : all;
        MPI_Count inside = mpi_type_elements(b.type, take);
        if (inside < 0)
            return -1;
        n += inside;
        rest -= take;
    }
    return n;
}

int mpi_type_bytes(const struct mpi_type *t, MPI_Count n, MPI_Count *bytes)
{
    struct below b;
    *bytes = 0;
    if (n == 0)
        return MPI_SUCCESS;
    MPI_Count each = whole(t), inside;
    if (each == 0)
        return MPI_ERR_TYPE;
    MPI_Count rest = n % each;
    if (__builtin_mul_overflow(n / each, t->size, bytes))
        return MPI_ERR_COUNT;
    for (MPI_Count i = 0; rest && part(t, i, &b); i++) {
        MPI_Count all = whole(b.type) * b.count, take = rest < all ? rest : all;
        int rc = mpi_type_bytes(b.type, take, &inside);
        if (rc)
            return rc;
        if (__builtin_add_overflow(*bytes, inside, bytes))
            return MPI_ERR_COUNT;
        rest -= take;
    }
    return MPI_SUCCESS;
}
