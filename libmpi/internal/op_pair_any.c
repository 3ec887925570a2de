/* SPDX-License-Identifier: MIT */
/* MINLOC and MAXLOC where value and index may be any numbers: by functions that compare. */
#include <base/mem.h>

#include "internal/half.h"
#include "internal/op_table.h"

/* -1: a is less, 0: equal, 1: more, 2: not comparable (not a number). */
typedef int order_fn(const void *a, const void *b);

#define ORDER_OF(x, y) ((x) < (y) ? -1 : (x) > (y) ? 1 : (x) == (y) ? 0 : 2)
#define ORDER(suffix, type)                                                                        \
    static int order_##suffix(const void *a, const void *b)                                        \
    {                                                                                              \
        const type *x = a, *y = b;                                                                 \
        return ORDER_OF(*x, *y);                                                                   \
    }
typedef __int128 i16_t;
typedef unsigned __int128 u16_t;
typedef long double fl_t;
typedef _Float128 f16_t;
ORDER(i1, int8_t)
ORDER(i2, int16_t)
ORDER(i4, int32_t)
ORDER(i8, int64_t)
ORDER(i16, i16_t)
ORDER(u1, uint8_t)
ORDER(u2, uint16_t)
ORDER(u4, uint32_t)
ORDER(u8, uint64_t)
ORDER(u16, u16_t)
ORDER(f4, float)
ORDER(f8, double)
ORDER(fl, fl_t)
ORDER(f16, f16_t)

static int order_f2(const void *a, const void *b)
{
    float x = mpi_from_half(*(const uint16_t *)a), y = mpi_from_half(*(const uint16_t *)b);
    return ORDER_OF(x, y);
}

static order_fn *const orders[MPI_ELEMENTS] = {
    [MPI_I1] = order_i1,   [MPI_I2] = order_i2,   [MPI_I4] = order_i4,  [MPI_I8] = order_i8,
    [MPI_I16] = order_i16, [MPI_U1] = order_u1,   [MPI_U2] = order_u2,  [MPI_U4] = order_u4,
    [MPI_U8] = order_u8,   [MPI_U16] = order_u16, [MPI_F2] = order_f2,  [MPI_F4] = order_f4,
    [MPI_F8] = order_f8,   [MPI_FL] = order_fl,   [MPI_F16] = order_f16};

void mpi_pair_any(enum mpi_op_index op, const struct mpi_type *t, const void *in, void *inout,
                  MPI_Count n)
{
    const struct mpi_type *const *parts = t->blocks->types;
    const struct mpi_type *value = parts[0], *index = parts[1];
    MPI_Aint extent = mpi_type_extent(t), at = t->blocks->displacement[1];
    int better = op == MPI_OP_MINLOC ? -1 : 1;
    const char *x = in;
    for (char *y = inout; n > 0; n--, x += extent, y += extent) {
        int order = orders[value->element](x, y);
        if (order == better)
            memcpy(y, x, (size_t)value->size);
        if (order == better || (order == 0 && orders[index->element](x + at, y + at) < 0))
            memcpy(y + at, x + at, (size_t)index->size);
    }
}
