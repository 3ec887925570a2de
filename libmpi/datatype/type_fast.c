/* SPDX-License-Identifier: MIT */
#include "datatype/type_fast.h"

#include <base/mem.h>

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
#define COPY_MOST 64
static copy_fn *const copies[COPY_MOST + 1] = {
    [1] = copy_1,   [2] = copy_2,   [4] = copy_4,   [8] = copy_8,   [12] = copy_12,
    [16] = copy_16, [24] = copy_24, [32] = copy_32, [48] = copy_48, [64] = copy_64};

bool mpi_copy_fast(unsigned char *to, MPI_Aint to_stride, const unsigned char *from,
                   MPI_Aint from_stride, uint64_t blocks, uint64_t bytes)
{
    if (bytes <= COPY_MOST && copies[bytes])
        copies[bytes](to, to_stride, from, from_stride, blocks);
    else if (bytes <= B_COPY_SHORT)
        for (; blocks; blocks--, to += to_stride, from += from_stride)
            b_copy_short(to, from, bytes);
    else
        return false;
    return true;
}

#define GATHER(n)                                                                                  \
    static void gather_##n(unsigned char *packed, const struct mpi_plan_run *run, uintptr_t at,    \
                           uint64_t runs, bool unpack)                                             \
    {                                                                                              \
        if (unpack)                                                                                \
            for (uint64_t i = 0; i < runs; i++, packed += (n))                                     \
                memcpy((unsigned char *)(at + (uintptr_t)run[i].at), packed, n);                   \
        else                                                                                       \
            for (uint64_t i = 0; i < runs; i++, packed += (n))                                     \
                memcpy(packed, (const unsigned char *)(at + (uintptr_t)run[i].at), n);             \
    }
GATHER(4)
GATHER(8)
GATHER(12)
GATHER(16)
GATHER(32)

typedef void gather_fn(unsigned char *packed, const struct mpi_plan_run *run, uintptr_t at,
                       uint64_t runs, bool unpack);
#define GATHER_MOST 32
static gather_fn *const gathers[GATHER_MOST + 1] = {
    [4] = gather_4, [8] = gather_8, [12] = gather_12, [16] = gather_16, [32] = gather_32};

bool mpi_gather_fast(unsigned char *packed, const struct mpi_plan_run *run, uintptr_t at,
                     uint64_t runs, uint64_t each, bool unpack)
{
    if (each > GATHER_MOST || !gathers[each])
        return false;
    gathers[each](packed, run, at, runs, unpack);
    return true;
}
