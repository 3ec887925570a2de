/* SPDX-License-Identifier: MIT */
/* MINLOC and MAXLOC: of equal values the lower index (MPI 5.0, 6.9.4). What lies between value and
 * index, or behind them, is the program's. */
#include "op/op_table.h"

#define PAIR(name, value_type, index_type, better)                                                 \
    static void name(const void *in, void *inout, MPI_Count n)                                     \
    {                                                                                              \
        struct both {                                                                              \
            value_type value;                                                                      \
            index_type index;                                                                      \
        };                                                                                         \
        const struct both *x = in;                                                                 \
        struct both *y = inout;                                                                    \
        for (MPI_Count i = 0; i < n; i++)                                                          \
            if (x[i].value better y[i].value ||                                                    \
                (x[i].value == y[i].value && x[i].index < y[i].index)) {                           \
                y[i].value = x[i].value;                                                           \
                y[i].index = x[i].index;                                                           \
            }                                                                                      \
    }
#define PAIRS(suffix, value_type, index_type)                                                      \
    PAIR(minloc_##suffix, value_type, index_type, <)                                               \
    PAIR(maxloc_##suffix, value_type, index_type, >)
PAIRS(float_int, float, int)
PAIRS(double_int, double, int)
PAIRS(long_int, long, int)
PAIRS(two_int, int, int)
PAIRS(short_int, short, int)
PAIRS(long_double_int, long double, int)
PAIRS(two_float, float, float)
PAIRS(two_double, double, double)

struct pair {
    MPI_Datatype type;
    mpi_kernel *minloc, *maxloc;
};

mpi_kernel *mpi_pair_kernel(enum mpi_op_index op, const struct mpi_type *t)
{
#define BOTH(suffix) minloc_##suffix, maxloc_##suffix
    const struct pair pairs[] = {
        {MPI_FLOAT_INT, BOTH(float_int)}, {MPI_DOUBLE_INT, BOTH(double_int)},
        {MPI_LONG_INT, BOTH(long_int)},   {MPI_2INT, BOTH(two_int)},
        {MPI_SHORT_INT, BOTH(short_int)}, {MPI_LONG_DOUBLE_INT, BOTH(long_double_int)},
        {MPI_2REAL, BOTH(two_float)},     {MPI_2DOUBLE_PRECISION, BOTH(two_double)},
        {MPI_2INTEGER, BOTH(two_int)}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (mpi_type_handle(t) == pairs[i].type)
            return op == MPI_OP_MINLOC ? pairs[i].minloc : pairs[i].maxloc;
    return NULL;
}
