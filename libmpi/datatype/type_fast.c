/* SPDX-License-Identifier: MIT */
#include "datatype/type_fast.h"

#include <base/mem.h>

/* One run. A length between two powers of two is copied as two overlapping pieces of the lower one,
 * so that a loop serves many lengths and decides nothing while it runs. */
#define EXACT(n)                                                                                   \
    static inline void exact_##n(unsigned char *to, const unsigned char *from, uint64_t bytes)     \
    {                                                                                              \
        (void)bytes;                                                                               \
        memcpy(to, from, n);                                                                       \
    }
#define ENDS(n)                                                                                    \
    static inline void ends_##n(unsigned char *to, const unsigned char *from, uint64_t bytes)      \
    {                                                                                              \
        memcpy(to, from, n);                                                                       \
        memcpy(to + bytes - (n), from + bytes - (n), n);                                           \
    }
EXACT(1)
EXACT(2)
EXACT(4)
EXACT(8)
EXACT(16)
ENDS(2)
ENDS(4)
ENDS(8)
ENDS(16)

static inline void ends_32(unsigned char *to, const unsigned char *from, uint64_t bytes)
{
    ends_16(to, from, 32);
    ends_16(to + bytes - 32, from + bytes - 32, 32);
}

static inline void lines(unsigned char *to, const unsigned char *from, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes - 64; i += 64)
        ends_32(to + i, from + i, 64);
    ends_32(to + bytes - 64, from + bytes - 64, 64);
}

/* A row, four runs in a turn: their addresses do not wait for each other. */
#define ROW(one)                                                                                   \
    static inline void row_##one(unsigned char *to, MPI_Aint to_stride, const unsigned char *from, \
                                 MPI_Aint from_stride, uint64_t runs, uint64_t bytes)              \
    {                                                                                              \
        for (; runs >= 4; runs -= 4, to += 4 * to_stride, from += 4 * from_stride) {               \
            one(to, from, bytes);                                                                  \
            one(to + to_stride, from + from_stride, bytes);                                        \
            one(to + 2 * to_stride, from + 2 * from_stride, bytes);                                \
            one(to + 3 * to_stride, from + 3 * from_stride, bytes);                                \
        }                                                                                          \
        for (; runs; runs--, to += to_stride, from += from_stride)                                 \
            one(to, from, bytes);                                                                  \
    }
#define ROWS(one)                                                                                  \
    static void copy_##one(const struct mpi_grid *g)                                               \
    {                                                                                              \
        unsigned char *to = g->to;                                                                 \
        const unsigned char *from = g->from;                                                       \
        for (uint64_t rows = g->rows; rows; rows--, to += g->to_step, from += g->from_step)        \
            row_##one(to, g->to_stride, from, g->from_stride, g->runs, g->bytes);                  \
    }
#define TABLES(one)                                                                                \
    static void gather_##one(unsigned char *packed, const MPI_Aint *place, uintptr_t at,           \
                             uint64_t runs, uint64_t bytes)                                        \
    {                                                                                              \
        for (uint64_t i = 0; i < runs; i++, packed += bytes)                                       \
            one(packed, (const unsigned char *)(at + (uintptr_t)place[i]), bytes);                 \
    }                                                                                              \
    static void scatter_##one(unsigned char *packed, const MPI_Aint *place, uintptr_t at,          \
                              uint64_t runs, uint64_t bytes)                                       \
    {                                                                                              \
        for (uint64_t i = 0; i < runs; i++, packed += bytes)                                       \
            one((unsigned char *)(at + (uintptr_t)place[i]), packed, bytes);                       \
    }
#define LOOPS(one) ROW(one) ROWS(one) TABLES(one)
LOOPS(exact_1)
LOOPS(exact_2)
LOOPS(exact_4)
LOOPS(exact_8)
LOOPS(exact_16)
LOOPS(ends_2)
LOOPS(ends_4)
LOOPS(ends_8)
LOOPS(ends_16)
LOOPS(ends_32)
LOOPS(lines)

/* Two runs of 8 bytes are one store where they come to lie together. */
typedef uint64_t pair __attribute__((vector_size(16)));

static inline void row_8(unsigned char *to, MPI_Aint to_stride, const unsigned char *from,
                         MPI_Aint from_stride, uint64_t runs, uint64_t bytes)
{
    for (; runs >= 4; runs -= 4, to += 32, from += 4 * from_stride) {
        uint64_t a, b, c, d;
        memcpy(&a, from, 8);
        memcpy(&b, from + from_stride, 8);
        memcpy(&c, from + 2 * from_stride, 8);
        memcpy(&d, from + 3 * from_stride, 8);
        memcpy(to, &(pair){a, b}, 16);
        memcpy(to + 16, &(pair){c, d}, 16);
    }
    row_exact_8(to, to_stride, from, from_stride, runs, bytes);
}
ROWS(8)

static void copy_eights(const struct mpi_grid *g)
{
    (g->to_stride == 8 ? copy_8 : copy_exact_8)(g);
}

/* For a power of two, from 1 on, and for what lies between it and the next one. */
#define LOOPS_OF(one) copy_##one, gather_##one, scatter_##one
static const struct mpi_copy_loops loops[][2] = {
    {{LOOPS_OF(exact_1)}, {NULL, NULL, NULL}},
    {{LOOPS_OF(exact_2)}, {LOOPS_OF(ends_2)}},
    {{LOOPS_OF(exact_4)}, {LOOPS_OF(ends_4)}},
    {{copy_eights, gather_exact_8, scatter_exact_8}, {LOOPS_OF(ends_8)}},
    {{LOOPS_OF(exact_16)}, {LOOPS_OF(ends_16)}},
    {{LOOPS_OF(ends_16)}, {LOOPS_OF(ends_32)}},
    {{LOOPS_OF(ends_32)}, {LOOPS_OF(lines)}},
    {{LOOPS_OF(lines)}, {LOOPS_OF(lines)}},
    {{LOOPS_OF(lines)}, {LOOPS_OF(lines)}}};

const struct mpi_copy_loops *mpi_copy_loops(uint64_t bytes)
{
    unsigned int power = 63 - (unsigned int)__builtin_clzll(bytes);
    return power < sizeof loops / sizeof *loops ? &loops[power][!!(bytes & (bytes - 1))] : NULL;
}
