/* SPDX-License-Identifier: MIT */
#include "datatype/parts.h"

#include <stddef.h>

_Static_assert(offsetof(struct mpi_parts, stream) > 0, "its address tells it from packed data");

static struct mpi_parts *parts_of(struct mpu_stream *s)
{
    return (struct mpi_parts *)((uint8_t *)s - offsetof(struct mpi_parts, stream));
}

static void pack_part(struct mpu_stream *s, uint64_t at, uint64_t n, void *memory)
{
    const struct mpi_parts *x = parts_of(s);
    mpi_type_pack(x->type, x->count, x->buf, at, n, memory);
}

static void unpack_part(struct mpu_stream *s, uint64_t at, uint64_t n, void *memory)
{
    const struct mpi_parts *x = parts_of(s);
    mpi_type_unpack(x->type, x->count, x->buf, at, n, memory);
}

struct mpi_parts *mpi_parts_make(struct mpi_process *p, void *buf, MPI_Count count,
                                 const struct mpi_type *type, bool pack, bool window)
{
    struct mpi_parts *x = mpu_alloc(p->rank, sizeof *x + (window ? MPU_STREAM_WINDOW : 0));
    if (!x)
        return NULL;
    x->stream = (struct mpu_stream){pack ? pack_part : unpack_part, window ? x->window : NULL};
    x->type = type;
    x->count = count;
    x->buf = buf;
    return x;
}
