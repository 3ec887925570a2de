/* SPDX-License-Identifier: MIT */
#include "datatype/type.h"

MPI_Aint mpi_type_stride(const struct mpi_type *t)
{
    MPI_Aint unit = t->combiner == MPI_COMBINER_VECTOR ? mpi_type_extent(t->child) : 1;
    return t->vector.stride * unit;
}

/* The farthest that n steps of `step` lead down and up. */
static MPI_Aint down(MPI_Count n, MPI_Aint step)
{
    return n > 1 && step < 0 ? (n - 1) * step : 0;
}

static MPI_Aint up(MPI_Count n, MPI_Aint step)
{
    return n > 1 && step > 0 ? (n - 1) * step : 0;
}

void mpi_bounds_vector(const struct mpi_type *t, struct mpi_bounds *b)
{
    struct mpi_bounds c = mpi_type_bounds(t->child);
    MPI_Count n = t->vector.count, m = t->vector.blocklength;
    if (n == 0 || m == 0 || (!t->size && !(t->flags & MPI_TYPE_MARKED)))
        return; /* an empty type map */
    MPI_Aint stride = mpi_type_stride(t);
    MPI_Aint low = down(n, stride) + down(m, c.extent), high = up(n, stride) + up(m, c.extent);
    if (t->size) {
        b->true_lb = c.true_lb + low;
        b->true_extent = c.true_extent + high - low;
    }
    b->lb = c.lb + low;
    b->extent = c.extent + high - low;
    if (!(t->flags & MPI_TYPE_MARKED))
        mpi_bounds_pad(b, t->alignment);
}

void mpi_bounds_pad(struct mpi_bounds *b, MPI_Aint alignment)
{
    MPI_Aint over = b->extent % alignment;
    b->extent += over ? alignment - over : 0;
}

bool mpi_type_run(const struct mpi_type *t, MPI_Count count, MPI_Aint *offset)
{
    *offset = 0;
    if (count == 0 || t->size == 0 || t->kind == MPI_KIND_BASIC)
        return true;
    if (!(t->flags & MPI_TYPE_RUN))
        return false;
    struct mpi_bounds b = mpi_type_bounds(t);
    *offset = b.true_lb;
    return count == 1 || b.extent == t->size;
}

bool mpi_type_overlap(const struct mpi_type *t, MPI_Count count, const void *buf,
                      const struct mpi_type *t2, MPI_Count count2, const void *buf2)
{
    MPI_Aint offset, offset2;
    uint64_t n = t ? (uint64_t)count * (uint64_t)t->size : 0;
    uint64_t n2 = t2 ? (uint64_t)count2 * (uint64_t)t2->size : 0;
    if (!n || !n2)
        return false;
    if (!mpi_type_run(t, count, &offset) || !mpi_type_run(t2, count2, &offset2))
        return t == t2 && buf == buf2;
    return mpi_runs_overlap((uintptr_t)buf + (uintptr_t)offset, n,
                            (uintptr_t)buf2 + (uintptr_t)offset2, n2);
}
