/* SPDX-License-Identifier: MIT */
/* Floating point and complex numbers. Sums are rounded once per element, in its own precision;
 * half precision is computed in float, which rounds to the same value. */
#include "op/half.h"
#include "op/op_table.h"
#include "datatype/quad.h"

typedef long double fl_t;

#define REAL(name, type, expression)                                                               \
    MPI_OP_VECTORS static void name(const void *in, void *inout, MPI_Count n)                      \
    {                                                                                              \
        const type *restrict x = in;                                                               \
        type *y = inout;                                                                           \
        for (MPI_Count i = 0; i < n; i++) {                                                        \
            type a = x[i], b = y[i];                                                               \
            y[i] = expression;                                                                     \
        }                                                                                          \
    }
#define REALS(suffix, type)                                                                        \
    REAL(sum_##suffix, type, a + b)                                                                \
    REAL(prod_##suffix, type, a *b)                                                                \
    REAL(min_##suffix, type, a < b ? a : b)                                                        \
    REAL(max_##suffix, type, a > b ? a : b)
REALS(f4, float)
REALS(f8, double)
REALS(fl, fl_t)
REALS(f16, mpi_quad)

#define HALF(name, expression)                                                                     \
    static void name(const void *in, void *inout, MPI_Count n)                                     \
    {                                                                                              \
        const uint16_t *restrict x = in;                                                           \
        uint16_t *y = inout;                                                                       \
        for (MPI_Count i = 0; i < n; i++) {                                                        \
            float a = mpi_from_half(x[i]), b = mpi_from_half(y[i]);                                \
            y[i] = mpi_to_half(expression);                                                        \
        }                                                                                          \
    }
HALF(sum_f2, a + b)
HALF(prod_f2, a *b)
HALF(min_f2, a < b ? a : b)
HALF(max_f2, a > b ? a : b)

/* The product by its definition, so that it is the same on every machine. */
#define COMPLEX(suffix, type)                                                                      \
    struct c##suffix {                                                                             \
        type re, im;                                                                               \
    };                                                                                             \
    static void sum_c##suffix(const void *in, void *inout, MPI_Count n)                            \
    {                                                                                              \
        sum_f##suffix(in, inout, 2 * n);                                                           \
    }                                                                                              \
    static void prod_c##suffix(const void *in, void *inout, MPI_Count n)                           \
    {                                                                                              \
        const struct c##suffix *restrict x = in;                                                   \
        struct c##suffix *y = inout;                                                               \
        for (MPI_Count i = 0; i < n; i++) {                                                        \
            struct c##suffix a = x[i], b = y[i];                                                   \
            y[i] = (struct c##suffix){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};       \
        }                                                                                          \
    }
COMPLEX(4, float)
COMPLEX(8, double)
COMPLEX(l, fl_t)
COMPLEX(16, mpi_quad)

static void sum_c2(const void *in, void *inout, MPI_Count n)
{
    sum_f2(in, inout, 2 * n);
}

static void prod_c2(const void *in, void *inout, MPI_Count n)
{
    const uint16_t *restrict x = in;
    uint16_t *y = inout;
    for (MPI_Count i = 0; i < 2 * n; i += 2) {
        float a = mpi_from_half(x[i]), b = mpi_from_half(x[i + 1]);
        float c = mpi_from_half(y[i]), d = mpi_from_half(y[i + 1]);
        y[i] = mpi_to_half(a * c - b * d);
        y[i + 1] = mpi_to_half(a * d + b * c);
    }
}

#define OF_REALS(op)                                                                               \
    [MPI_F2] = op##_f2, [MPI_F4] = op##_f4, [MPI_F8] = op##_f8, [MPI_FL] = op##_fl,                \
    [MPI_F16] = op##_f16
#define OF_COMPLEX(op)                                                                             \
    [MPI_C2] = op##_c2, [MPI_C4] = op##_c4, [MPI_C8] = op##_c8, [MPI_CL] = op##_cl,                \
    [MPI_C16] = op##_c16

mpi_kernel *const mpi_float_kernels[MPI_OP_ARITHMETIC][MPI_ELEMENTS] = {
    [MPI_OP_SUM] = {OF_REALS(sum), OF_COMPLEX(sum)},
    [MPI_OP_PROD] = {OF_REALS(prod), OF_COMPLEX(prod)},
    [MPI_OP_MIN] = {OF_REALS(min)},
    [MPI_OP_MAX] = {OF_REALS(max)}};
