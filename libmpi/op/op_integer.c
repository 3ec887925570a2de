/* SPDX-License-Identifier: MIT */
/* Integers: a kernel per operation and width. Sums and products wrap around, so one of unsigned
 * arithmetic serves signed types too; only the order differs. */
#include "op/op_table.h"

typedef unsigned __int128 u16_t;
typedef __int128 i16_t;

#define KERNEL(name, type, expression)                                                             \
    static void name(const void *in, void *inout, MPI_Count n)                                     \
    {                                                                                              \
        const type *restrict x = in;                                                               \
        type *y = inout;                                                                           \
        for (MPI_Count i = 0; i < n; i++) {                                                        \
            type a = x[i], b = y[i];                                                               \
            y[i] = (type)(expression);                                                             \
        }                                                                                          \
    }

/* Multiplication of narrow unsigned types would be done in int and overflow. */
#define WRAPPING(bytes, type, wide)                                                                \
    KERNEL(sum_##bytes, type, (wide)a + (wide)b)                                                   \
    KERNEL(prod_##bytes, type, (wide)a *(wide)b)                                                   \
    KERNEL(band_##bytes, type, a &b)                                                               \
    KERNEL(bor_##bytes, type, a | b)                                                               \
    KERNEL(bxor_##bytes, type, a ^ b)                                                              \
    KERNEL(land_##bytes, type, a &&b)                                                              \
    KERNEL(lor_##bytes, type, a || b)                                                              \
    KERNEL(lxor_##bytes, type, !a != !b)
WRAPPING(1, uint8_t, uint32_t)
WRAPPING(2, uint16_t, uint32_t)
WRAPPING(4, uint32_t, uint32_t)
WRAPPING(8, uint64_t, uint64_t)
WRAPPING(16, u16_t, u16_t)

#define ORDERED(suffix, type)                                                                      \
    KERNEL(min_##suffix, type, a < b ? a : b)                                                      \
    KERNEL(max_##suffix, type, a > b ? a : b)
ORDERED(i1, int8_t)
ORDERED(i2, int16_t)
ORDERED(i4, int32_t)
ORDERED(i8, int64_t)
ORDERED(i16, i16_t)
ORDERED(u1, uint8_t)
ORDERED(u2, uint16_t)
ORDERED(u4, uint32_t)
ORDERED(u8, uint64_t)
ORDERED(u16, u16_t)

#define BY_WIDTH(op)                                                                               \
    [MPI_I1] = op##_1, [MPI_I2] = op##_2, [MPI_I4] = op##_4, [MPI_I8] = op##_8,                    \
    [MPI_I16] = op##_16, [MPI_U1] = op##_1, [MPI_U2] = op##_2, [MPI_U4] = op##_4,                  \
    [MPI_U8] = op##_8, [MPI_U16] = op##_16
#define BY_SIGN(op)                                                                                \
    [MPI_I1] = op##_i1, [MPI_I2] = op##_i2, [MPI_I4] = op##_i4, [MPI_I8] = op##_i8,                \
    [MPI_I16] = op##_i16, [MPI_U1] = op##_u1, [MPI_U2] = op##_u2, [MPI_U4] = op##_u4,              \
    [MPI_U8] = op##_u8, [MPI_U16] = op##_u16

mpi_kernel *const mpi_integer_kernels[MPI_OP_ARITHMETIC][MPI_ELEMENTS] = {
    [MPI_OP_SUM] = {BY_WIDTH(sum)},   [MPI_OP_PROD] = {BY_WIDTH(prod)},
    [MPI_OP_BAND] = {BY_WIDTH(band)}, [MPI_OP_BOR] = {BY_WIDTH(bor)},
    [MPI_OP_BXOR] = {BY_WIDTH(bxor)}, [MPI_OP_LAND] = {BY_WIDTH(land)},
    [MPI_OP_LOR] = {BY_WIDTH(lor)},   [MPI_OP_LXOR] = {BY_WIDTH(lxor)},
    [MPI_OP_MIN] = {BY_SIGN(min)},    [MPI_OP_MAX] = {BY_SIGN(max)}};
