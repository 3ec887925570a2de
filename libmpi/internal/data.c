/* SPDX-License-Identifier: MIT */
/* What mpiutil sends and receives lies in one piece. Data that does not is packed into memory of
 * the rank, and unpacked from there. */
#include "internal/p2p.h"

static bool one_piece(const struct mpi_type *t, MPI_Count count)
{
    if (!(t->flags & MPI_TYPE_RUN))
        return false;
    return count == 1 || t->kind == MPI_KIND_BASIC || mpi_type_bounds(t).extent == t->size;
}

int mpi_data_begin(struct mpi_process *p, struct mpi_data *d, void *buf, MPI_Count count,
                   const struct mpi_type *type, uint64_t bytes, bool pack)
{
    *d = (struct mpi_data){.bytes = buf, .buf = buf, .count = count, .type = type};
    if (bytes && one_piece(type, count))
        d->bytes =
            (uint8_t *)buf + (type->kind == MPI_KIND_BASIC ? 0 : mpi_type_bounds(type).true_lb);
    else if (bytes)
        d->bytes = d->packed = mpu_alloc(p->rank, bytes);
    if (bytes && !d->bytes)
        return MPI_ERR_NO_MEM;
    mpi_type_hold(type);
    if (d->packed && pack)
        mpi_type_pack(type, count, buf, 0, bytes, d->packed);
    return MPI_SUCCESS;
}

void mpi_data_unpack(const struct mpi_data *d, uint64_t n)
{
    if (d->packed && n)
        mpi_type_unpack(d->type, d->count, d->buf, 0, n, d->packed);
}

void mpi_data_end(struct mpi_process *p, struct mpi_data *d)
{
    if (!d->type)
        return;
    mpu_free(p->rank, d->packed);
    mpi_type_release(p, d->type);
    *d = (struct mpi_data){0};
}
