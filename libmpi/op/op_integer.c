/* SPDX-License-Identifier: MIT */
/* Integers: a kernel per operation and width. Sums and products wrap around, so one of unsigned
 * arithmetic serves signed types too; only the order differs. Those of 16 bytes, of which not every
 * compiler knows a type, are two words each. */
#include "op/op_table.h"

struct sixteen {
    uint64_t low, high;
};

#define KERNEL(name, type, expression)                                                             \
    MPI_OP_VECTORS static void name(const void *in, void *inout, MPI_Count n)                      \
    {                                                                                              \
        const type *restrict x = in;                                                               \
        type *y = inout;                                                                           \
        for (MPI_Count i = 0; i < n; i++) {                                                        \
            type a = x[i], b = y[i];                                                               \
            y[i] = expression;                                                                     \
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

#define ORDERED(suffix, type)                                                                      \
    KERNEL(min_##suffix, type, a < b ? a : b)                                                      \
    KERNEL(max_##suffix, type, a > b ? a : b)
ORDERED(i1, int8_t)
ORDERED(i2, int16_t)
ORDERED(i4, int32_t)
ORDERED(i8, int64_t)
ORDERED(u1, uint8_t)
ORDERED(u2, uint16_t)
ORDERED(u4, uint32_t)
ORDERED(u8, uint64_t)

/* The upper half of a product. */
static uint64_t high_of(uint64_t a, uint64_t b)
{
    uint64_t mask = UINT32_MAX, a0 = a & mask, a1 = a >> 32, b0 = b & mask, b1 = b >> 32;
    uint64_t low = a1 * b0 + (a0 * b0 >> 32), middle = a0 * b1 + (low & mask);
    return a1 * b1 + (low >> 32) + (middle >> 32);
}

static bool truth(struct sixteen a)
{
    return (a.low | a.high) != 0;
}

/* The lesser or, with `most`, the greater one of each two. `sign`: the highest bit of signed
 * numbers, which turns their order into that of unsigned ones. */
static void choose(const void *in, void *inout, MPI_Count n, bool most, uint64_t sign)
{
    const struct sixteen *x = in;
    struct sixteen *y = inout;
    for (MPI_Count i = 0; i < n; i++) {
        uint64_t a = x[i].high ^ sign, b = y[i].high ^ sign;
        if ((a == b ? x[i].low < y[i].low : a < b) != most)
            y[i] = x[i];
    }
}

#define CHOOSE(name, most, sign)                                                                   \
    static void name(const void *in, void *inout, MPI_Count n)                                     \
    {                                                                                              \
        choose(in, inout, n, most, sign);                                                          \
    }
CHOOSE(min_u16, false, 0)
CHOOSE(max_u16, true, 0)
CHOOSE(min_i16, false, UINT64_C(1) << 63)
CHOOSE(max_i16, true, UINT64_C(1) << 63)

#define SIXTEEN(name, ...) KERNEL(name##_16, struct sixteen, ((struct sixteen){__VA_ARGS__}))
SIXTEEN(sum, a.low + b.low, a.high + b.high + (a.low + b.low < a.low))
SIXTEEN(prod, a.low *b.low, high_of(a.low, b.low) + a.high * b.low + a.low * b.high)
SIXTEEN(band, a.low &b.low, a.high &b.high)
SIXTEEN(bor, a.low | b.low, a.high | b.high)
SIXTEEN(bxor, a.low ^ b.low, a.high ^ b.high)
SIXTEEN(land, truth(a) && truth(b), 0)
SIXTEEN(lor, truth(a) || truth(b), 0)
SIXTEEN(lxor, truth(a) != truth(b), 0)

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
