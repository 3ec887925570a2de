/* SPDX-License-Identifier: MIT */
/* Every predefined operation on every predefined type: allowed where MPI 5.0, table 6.9.2 allows it
 * and then as a reference computes it, one element after the other; else MPI_ERR_OP. User
 * operations see what they are given. Halves and quads are computed by the compiler's own types. */
#include <complex.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"

enum { N = 37, OPS = 12 };

enum group { INTEGER, FORTRAN, FLOATING, COMPLEX, LOGICAL, BYTE, NONE, PAIR };

struct type {
    MPI_Datatype type;
    enum group group;
    bool is_signed;
    int size;
};

static const struct type types[] = {
    {MPI_AINT, INTEGER, true, 8},
    {MPI_COUNT, INTEGER, true, 8},
    {MPI_OFFSET, INTEGER, true, 8},
    {MPI_SHORT, INTEGER, true, 2},
    {MPI_INT, INTEGER, true, 4},
    {MPI_LONG, INTEGER, true, 8},
    {MPI_LONG_LONG, INTEGER, true, 8},
    {MPI_UNSIGNED_SHORT, INTEGER, false, 2},
    {MPI_UNSIGNED, INTEGER, false, 4},
    {MPI_UNSIGNED_LONG, INTEGER, false, 8},
    {MPI_UNSIGNED_LONG_LONG, INTEGER, false, 8},
    {MPI_INT8_T, INTEGER, true, 1},
    {MPI_UINT8_T, INTEGER, false, 1},
    {MPI_CHAR, INTEGER, true, 1},
    {MPI_SIGNED_CHAR, INTEGER, true, 1},
    {MPI_UNSIGNED_CHAR, INTEGER, false, 1},
    {MPI_INT16_T, INTEGER, true, 2},
    {MPI_UINT16_T, INTEGER, false, 2},
    {MPI_INT32_T, INTEGER, true, 4},
    {MPI_UINT32_T, INTEGER, false, 4},
    {MPI_INT64_T, INTEGER, true, 8},
    {MPI_UINT64_T, INTEGER, false, 8},
    {MPI_INTEGER, FORTRAN, true, 4},
    {MPI_INTEGER1, FORTRAN, true, 1},
    {MPI_INTEGER2, FORTRAN, true, 2},
    {MPI_INTEGER4, FORTRAN, true, 4},
    {MPI_INTEGER8, FORTRAN, true, 8},
    {MPI_INTEGER16, FORTRAN, true, 16},
    {MPI_FLOAT, FLOATING, true, 4},
    {MPI_DOUBLE, FLOATING, true, 8},
    {MPI_REAL, FLOATING, true, 4},
    {MPI_DOUBLE_PRECISION, FLOATING, true, 8},
    {MPI_LONG_DOUBLE, FLOATING, true, 10}, /* the bytes that carry a value */
    {MPI_REAL4, FLOATING, true, 4},
    {MPI_REAL8, FLOATING, true, 8},
    {MPI_REAL16, FLOATING, true, 16},
    {MPI_REAL2, FLOATING, true, 2},
    {MPI_C_FLOAT_COMPLEX, COMPLEX, true, 8},
    {MPI_CXX_FLOAT_COMPLEX, COMPLEX, true, 8},
    {MPI_C_DOUBLE_COMPLEX, COMPLEX, true, 16},
    {MPI_CXX_DOUBLE_COMPLEX, COMPLEX, true, 16},
    {MPI_COMPLEX, COMPLEX, true, 8},
    {MPI_DOUBLE_COMPLEX, COMPLEX, true, 16},
    {MPI_COMPLEX8, COMPLEX, true, 8},
    {MPI_COMPLEX16, COMPLEX, true, 16},
    {MPI_C_BOOL, LOGICAL, false, 1},
    {MPI_CXX_BOOL, LOGICAL, false, 1},
    {MPI_LOGICAL, LOGICAL, false, 4},
    {MPI_LOGICAL1, LOGICAL, false, 1},
    {MPI_LOGICAL2, LOGICAL, false, 2},
    {MPI_LOGICAL4, LOGICAL, false, 4},
    {MPI_LOGICAL8, LOGICAL, false, 8},
    {MPI_LOGICAL16, LOGICAL, false, 16},
    {MPI_BYTE, BYTE, false, 1},
    {MPI_PACKED, NONE, false, 1},
    {MPI_CHARACTER, NONE, false, 1},
    {MPI_WCHAR, NONE, false, 4},
    {MPI_FLOAT_INT, PAIR, true, 8},
    {MPI_DOUBLE_INT, PAIR, true, 12},
    {MPI_LONG_INT, PAIR, true, 12},
    {MPI_2INT, PAIR, true, 8},
    {MPI_SHORT_INT, PAIR, true, 6},
    {MPI_LONG_DOUBLE_INT, PAIR, true, 20},
    {MPI_2REAL, PAIR, true, 8},
    {MPI_2DOUBLE_PRECISION, PAIR, true, 16},
    {MPI_2INTEGER, PAIR, true, 8},
};

enum op { SUM, PROD, MIN, MAX, BAND, BOR, BXOR, LAND, LOR, LXOR, MINLOC, MAXLOC };
static const MPI_Op ops[OPS] = {MPI_SUM,  MPI_PROD, MPI_MIN, MPI_MAX,  MPI_BAND,   MPI_BOR,
                                MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_MINLOC, MPI_MAXLOC};

static bool allowed(enum op op, enum group g)
{
    if (op <= PROD)
        return g == INTEGER || g == FORTRAN || g == FLOATING || g == COMPLEX;
    if (op <= MAX)
        return g == INTEGER || g == FORTRAN || g == FLOATING;
    if (op <= BXOR)
        return g == INTEGER || g == FORTRAN || g == BYTE;
    if (op <= LXOR)
        return g == INTEGER || g == LOGICAL;
    return g == PAIR;
}

#define REFER(name, type)                                                                          \
    static type name(enum op op, type a, type b)                                                   \
    {                                                                                              \
        switch (op) {                                                                              \
        case SUM:                                                                                  \
            return (type)(a + b);                                                                  \
        case PROD:                                                                                 \
            return (type)(a * b);                                                                  \
        case MIN:                                                                                  \
            return b < a ? b : a;                                                                  \
        default:                                                                                   \
            return b > a ? b : a;                                                                  \
        }                                                                                          \
    }
REFER(of_float, float)
REFER(of_double, double)
REFER(of_long_double, long double)
typedef float quad __attribute__((mode(TF))); /* IEEE binary128, of any compiler */
REFER(of_quad, quad)

/* Integers through a type that is wider than all of them but one, which wraps as it does. */
static unsigned __int128 of_integer(enum op op, unsigned __int128 a, unsigned __int128 b,
                                    bool is_signed)
{
    bool less = is_signed ? (__int128)a < (__int128)b : a < b;
    const unsigned __int128 results[] = {
        [SUM] = a + b,  [PROD] = a * b,   [MIN] = less ? a : b, [MAX] = less ? b : a,
        [BAND] = a & b, [BOR] = a | b,    [BXOR] = a ^ b,       [LAND] = a && b,
        [LOR] = a || b, [LXOR] = !a != !b};
    return results[op];
}

static unsigned __int128 load(const struct type *t, const unsigned char *at)
{
    unsigned __int128 v = t->is_signed && at[t->size - 1] & 0x80 ? ~(unsigned __int128)0 : 0;
    memcpy(&v, at, (size_t)t->size);
    return v;
}

#define ON(type, of)                                                                               \
    do {                                                                                           \
        type a_, b_;                                                                               \
        memcpy(&a_, x, sizeof a_);                                                                 \
        memcpy(&b_, y, sizeof b_);                                                                 \
        a_ = of(op, a_, b_);                                                                       \
        memcpy(y, &a_, sizeof a_);                                                                 \
    } while (0)

static void on_floating(const struct type *t, enum op op, const unsigned char *x, unsigned char *y)
{
    if (t->size == 2) {
        _Float16 a, b;
        memcpy(&a, x, 2);
        memcpy(&b, y, 2);
        a = (_Float16)of_float(op, (float)a, (float)b);
        memcpy(y, &a, 2);
    } else if (t->size == 4)
        ON(float, of_float);
    else if (t->size == 8)
        ON(double, of_double);
    else if (t->size == 10)
        ON(long double, of_long_double);
    else
        ON(quad, of_quad);
}

static float complex of_c8(enum op op, float complex a, float complex b)
{
    return op == SUM ? a + b : a * b;
}

static double complex of_c16(enum op op, double complex a, double complex b)
{
    return op == SUM ? a + b : a * b;
}

/* Values by number; small ones so that floating arithmetic is exact and products are told apart. */
static double value(int i, int k)
{
    return (i * 7 + k * 5) % 23 - 9;
}

#define PUT(type, v)                                                                               \
    do {                                                                                           \
        type v_ = (type)(v);                                                                       \
        memcpy(at, &v_, sizeof v_);                                                                \
    } while (0)

static void put(const struct type *t, unsigned char *at, int i, int k)
{
    double v = value(i, k);
    if (t->group == LOGICAL) {
        at[0] = (unsigned char)((i + k) % 3 == 0);
    } else if (t->group == COMPLEX && t->size == 8) {
        PUT(float complex, v + I * value(i + 1, k));
    } else if (t->group == COMPLEX) {
        PUT(double complex, v + I * value(i + 1, k));
    } else if (t->group != FLOATING) {
        for (int b = 0; b < t->size; b++) /* all bits, also the sign */
            at[b] = (unsigned char)(i * 37 + k * 91 + b * 53 + (i + b) / 3);
        if (i % 5 == 0)
            memset(at, 0, (size_t)t->size);
    } else if (t->size == 2) {
        PUT(_Float16, v / 3);
    } else if (t->size == 4) {
        PUT(float, v / 3);
    } else if (t->size == 8) {
        PUT(double, v / 3);
    } else if (t->size == 10) {
        PUT(long double, v / 3);
    } else {
        PUT(quad, v / 3);
    }
}

static void refer(const struct type *t, enum op op, const unsigned char *x, unsigned char *y)
{
    if (t->group == FLOATING) {
        on_floating(t, op, x, y);
    } else if (t->group == COMPLEX && t->size == 8) {
        ON(float complex, of_c8);
    } else if (t->group == COMPLEX) {
        ON(double complex, of_c16);
    } else {
        unsigned __int128 v = of_integer(op, load(t, x), load(t, y), t->is_signed);
        memcpy(y, &v, (size_t)t->size);
    }
}

static _Alignas(32) unsigned char in[N * 32], inout[N * 32], want[N * 32];

static void arithmetic(const struct type *t, enum op op)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(t->type, &lb, &extent);
    memset(in, 0, sizeof in);
    memset(inout, 0, sizeof inout);
    for (int i = 0; i < N; i++) {
        put(t, in + i * extent, i, 0);
        put(t, inout + i * extent, i, 1 + i / 11);
    }
    memcpy(want, inout, sizeof want);
    for (int i = 0; i < N; i++)
        refer(t, op, in + i * extent, want + i * extent);
    CHECK_EQ(MPI_Reduce_local(in, inout, N, t->type, ops[op]), MPI_SUCCESS);
    for (int i = 0; i < N; i++)
        CHECK_EQ(memcmp(inout + i * extent, want + i * extent, (size_t)t->size), 0);
}

#define PAIRS(handle, value_type, index_type)                                                      \
    do {                                                                                           \
        struct pair {                                                                              \
            value_type value;                                                                      \
            index_type index;                                                                      \
        } a[N], b[N], c[N];                                                                        \
        for (int i = 0; i < N; i++) {                                                              \
            a[i] = (struct pair){(value_type)value(i, 0), (index_type)(i % 4)};                    \
            b[i] = (struct pair){(value_type)value(i, i % 3), (index_type)(i % 3)};                \
            c[i] = b[i];                                                                           \
            bool better = op == MINLOC ? a[i].value < b[i].value : a[i].value > b[i].value;        \
            if (better || (a[i].value == b[i].value && a[i].index < b[i].index))                   \
                c[i] = a[i];                                                                       \
        }                                                                                          \
        CHECK_EQ(MPI_Reduce_local_c(a, b, N, handle, ops[op]), MPI_SUCCESS);                       \
        for (int i = 0; i < N; i++)                                                                \
            CHECK(b[i].value == c[i].value && b[i].index == c[i].index);                           \
    } while (0)

static void pairs(enum op op)
{
    PAIRS(MPI_FLOAT_INT, float, int);
    PAIRS(MPI_DOUBLE_INT, double, int);
    PAIRS(MPI_LONG_INT, long, int);
    PAIRS(MPI_2INT, int, int);
    PAIRS(MPI_SHORT_INT, short, int);
    PAIRS(MPI_LONG_DOUBLE_INT, long double, int);
    PAIRS(MPI_2REAL, float, float);
    PAIRS(MPI_2DOUBLE_PRECISION, double, double);
    PAIRS(MPI_2INTEGER, int, int);
}

/* a op b = a * 3 + b on pairs of int: not commutative, and it counts what it is asked. */
static int asked;

static void weigh(void *a, void *b, int *n, MPI_Datatype *type)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    asked += *n;
    for (int i = 0; i < *n; i++) {
        int *x = (int *)((char *)a + i * extent), *y = (int *)((char *)b + i * extent);
        *y = *x * 3 + *y;
    }
}

static void weigh_c(void *a, void *b, MPI_Count *n, MPI_Datatype *type)
{
    int k = (int)*n;
    weigh(a, b, &k, type);
}

static void users(void)
{
    MPI_Op op, op_c;
    MPI_Datatype every_second;
    int x[8] = {1, 0, 2, 0, 3, 0, 4, 0}, y[8] = {1, 9, 1, 9, 1, 9, 1, 9};
    MPI_Type_create_resized(MPI_INT, 0, 8, &every_second);
    MPI_Type_commit(&every_second);
    MPI_Op_create(weigh, 0, &op);
    MPI_Op_create_c(weigh_c, 0, &op_c);
    CHECK_EQ(MPI_Reduce_local(x, y, 4, every_second, op), MPI_SUCCESS);
    CHECK(y[0] == 4 && y[2] == 7 && y[4] == 10 && y[6] == 13 && y[1] == 9);
    CHECK_EQ(MPI_Reduce_local(x, y, 4, every_second, op_c), MPI_SUCCESS);
    CHECK(y[0] == 7 && y[6] == 25 && y[7] == 9 && asked == 8);
    MPI_Op_free(&op);
    MPI_Op_free(&op_c);
    MPI_Type_free(&every_second);
}

int main(int argc, char **argv)
{
    MPI_Datatype kind;
    float a = 2, b = 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        for (int op = 0; op < OPS; op++)
            if (!allowed((enum op)op, types[i].group))
                CHECK_EQ(MPI_Reduce_local(in, inout, 1, types[i].type, ops[op]), MPI_ERR_OP);
            else if (types[i].group != PAIR)
                arithmetic(&types[i], (enum op)op);
    pairs(MINLOC);
    pairs(MAXLOC);
    if (world_rank() == 0)
        users();
    MPI_Type_create_f90_real(6, 30, &kind); /* predefined, though it has no name */
    CHECK_EQ(MPI_Reduce_local(&a, &b, 1, kind, MPI_PROD), MPI_SUCCESS);
    CHECK_EQ(b == 10, 1);
    MPI_Finalize();
    return 0;
}
