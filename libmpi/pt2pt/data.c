/* SPDX-License-Identifier: MIT */
/* Data that does not lie in one piece is packed, or unpacked, while it travels, where that costs no
 * more. Elsewhere, and when it is short, it is packed into memory of the rank, and unpacked from
 * there; unless there is not so much memory. */
#include "pt2pt/p2p.h"
#include "datatype/parts.h"

static bool one_piece(const struct mpi_type *t, MPI_Count count)
{
    if (!(t->flags & MPI_TYPE_RUN))
        return false;
    return count == 1 || mpi_type_bounds(t).extent == t->size;
}

static bool in_parts(const struct mpi_data *d)
{
    return mpi_data_streamed(d) != 0;
}

static void parts_begin(struct mpi_process *p, struct mpi_data *d, bool pack, bool window)
{
    struct mpi_parts *x = mpi_parts_make(p, d->buf, d->count, d->type, pack, window);
    d->packed = x;
    d->bytes = x ? &x->stream : NULL;
}

int mpi_data_prepare(struct mpi_process *p, struct mpi_data *d, void *buf, MPI_Count count,
                     const struct mpi_type *type, uint64_t bytes, bool pack)
{
    bool streams = mpu_streams(p->rank, bytes);
    *d = (struct mpi_data){.bytes = buf, .buf = buf, .count = count, .type = type};
    if (bytes && one_piece(type, count))
        d->bytes = (uint8_t *)buf + mpi_type_bounds(type).true_lb;
    else if (streams)
        parts_begin(p, d, pack, false);
    else if (bytes)
        d->bytes = d->packed = mpu_alloc(p->rank, bytes);
    if (!d->bytes && !streams && bytes > MPU_STREAM_WINDOW)
        parts_begin(p, d, pack, true);
    if (bytes && !d->bytes)
        return MPI_ERR_NO_MEM;
    mpi_type_retain(type);
    if (d->packed && pack && !in_parts(d))
        mpi_type_pack(type, count, buf, 0, bytes, d->packed);
    return MPI_SUCCESS;
}

void mpi_data_unpack(const struct mpi_data *d, uint64_t n)
{
    if (d->packed && n && !in_parts(d))
        mpi_type_unpack(d->type, d->count, d->buf, 0, n, d->packed);
}

void mpi_data_end(struct mpi_process *p, struct mpi_data *d)
{
    mpu_free(p->rank, d->packed);
    mpi_type_release(p, d->type);
    *d = (struct mpi_data){0};
}
