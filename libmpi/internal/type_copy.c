/* SPDX-License-Identifier: MIT */
/* Packing and unpacking: strips of runs, copied with the size known to the compiler where it is a
 * usual one, so that small blocks cost loads and stores and no call. */
#include <base/mem.h>

#include "internal/type_walk.h"

#define COPY(n)                                                                                    \
    static void copy_##n(unsigned char *to, MPI_Aint to_stride, const unsigned char *from,         \
                         MPI_Aint from_stride, uint64_t blocks)                                    \
    {                                                                                              \
        for (; blocks; blocks--, to += to_stride, from += from_stride)                             \
            memcpy(to, from, n);                                                                   \
    }
COPY(1)
COPY(2)
COPY(4)
COPY(8)
COPY(12)
COPY(16)
COPY(24)
COPY(32)
COPY(48)
COPY(64)

typedef void copy_fn(unsigned char *to, MPI_Aint to_stride, const unsigned char *from,
                     MPI_Aint from_stride, uint64_t blocks);
#define FAST_MAX 64
static copy_fn *const fast[FAST_MAX + 1] = {
    [1] = copy_1,   [2] = copy_2,   [4] = copy_4,   [8] = copy_8,   [12] = copy_12,
    [16] = copy_16, [24] = copy_24, [32] = copy_32, [48] = copy_48, [64] = copy_64};

static void copy(unsigned char *to, MPI_Aint to_stride, const unsigned char *from,
                 MPI_Aint from_stride, uint64_t blocks, uint64_t bytes)
{
    if (bytes <= FAST_MAX && fast[bytes]) {
        fast[bytes](to, to_stride, from, from_stride, blocks);
        return;
    }
    for (; blocks; blocks--, to += to_stride, from += from_stride)
        memcpy(to, from, bytes);
}

struct packing {
    struct mpi_walk walk;
    unsigned char *packed;
};

static void pack_strip(struct mpi_walk *w, uintptr_t at, uint64_t blocks, uint64_t bytes,
                       MPI_Aint stride, const struct mpi_type *basic)
{
    struct packing *p = (struct packing *)w;
    unsigned char *to = p->packed;
    (void)basic;
    p->packed = to + blocks * bytes;
    copy(to, (MPI_Aint)bytes, (const unsigned char *)at, stride, blocks, bytes);
}

static void unpack_strip(struct mpi_walk *w, uintptr_t at, uint64_t blocks, uint64_t bytes,
                         MPI_Aint stride, const struct mpi_type *basic)
{
    struct packing *p = (struct packing *)w;
    const unsigned char *from = p->packed;
    (void)basic;
    p->packed += blocks * bytes;
    copy((unsigned char *)at, stride, from, (MPI_Aint)bytes, blocks, bytes);
}

void mpi_type_pack(const struct mpi_type *t, MPI_Count count, const void *buf, uint64_t from,
                   uint64_t n, void *to)
{
    struct packing p = {{from, n, false, pack_strip}, to};
    mpi_type_walk(&p.walk, t, count, (uintptr_t)buf);
}

void mpi_type_unpack(const struct mpi_type *t, MPI_Count count, void *buf, uint64_t from,
                     uint64_t n, const void *data)
{
    struct packing p = {{from, n, false, unpack_strip}, (unsigned char *)(uintptr_t)data};
    mpi_type_walk(&p.walk, t, count, (uintptr_t)buf);
}

struct running {
    struct mpi_walk walk;
    mpi_type_run_fn *run;
    void *arg;
};

static void run_strip(struct mpi_walk *w, uintptr_t at, uint64_t blocks, uint64_t bytes,
                      MPI_Aint stride, const struct mpi_type *basic)
{
    struct running *r = (struct running *)w;
    (void)basic;
    for (uint64_t i = 0; i < blocks; i++)
        r->run(r->arg, (void *)(at + i * (uint64_t)stride), bytes);
}

void mpi_type_runs(const struct mpi_type *t, MPI_Count count, const void *buf, uint64_t from,
                   uint64_t n, mpi_type_run_fn *run, void *arg)
{
    struct running r = {{from, n, false, run_strip}, run, arg};
    mpi_type_walk(&r.walk, t, count, (uintptr_t)buf);
}

/* Through a buffer on the stack where neither side is one run. */
static void copy_bounced(const struct mpi_type *from_type, MPI_Count from_count, const void *from,
                         const struct mpi_type *to_type, MPI_Count to_count, void *to, uint64_t n)
{
    unsigned char bounce[1024];
    for (uint64_t done = 0; done < n;) {
        uint64_t part = n - done < sizeof bounce ? n - done : sizeof bounce;
        mpi_type_pack(from_type, from_count, from, done, part, bounce);
        mpi_type_unpack(to_type, to_count, to, done, part, bounce);
        done += part;
    }
}

uint64_t mpi_type_copy(const struct mpi_type *from_type, MPI_Count from_count, const void *from,
                       const struct mpi_type *to_type, MPI_Count to_count, void *to)
{
    uint64_t n = (uint64_t)from_type->size * (uint64_t)from_count;
    uint64_t room = (uint64_t)to_type->size * (uint64_t)to_count;
    MPI_Aint offset;
    if (n > room)
        n = room;
    if (n == 0)
        return 0;
    if (mpi_type_run(from_type, from_count, &offset))
        mpi_type_unpack(to_type, to_count, to, 0, n, (const char *)from + offset);
    else if (mpi_type_run(to_type, to_count, &offset))
        mpi_type_pack(from_type, from_count, from, 0, n, (char *)to + offset);
    else
        copy_bounced(from_type, from_count, from, to_type, to_count, to, n);
    return n;
}
