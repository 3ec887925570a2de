/* SPDX-License-Identifier: MIT */
/* Every constructor answers with the arguments it was given (MPI 5.0, 5.1.13), and a type made anew
 * from its contents has the same bounds; in both forms of counts. */
#include <string.h>

#include "check.h"

enum { MOST = 40 };

struct contents {
    MPI_Count ints, addresses, counts, types;
    int combiner;
    int i[MOST];
    MPI_Aint a[MOST];
    MPI_Count c[MOST];
    MPI_Datatype t[MOST];
};

static struct contents ask(MPI_Datatype type)
{
    struct contents x;
    memset(&x, 0, sizeof x);
    CHECK_EQ(MPI_Type_get_envelope_c(type, &x.ints, &x.addresses, &x.counts, &x.types, &x.combiner),
             MPI_SUCCESS);
    CHECK(x.ints <= MOST && x.addresses <= MOST && x.counts <= MOST && x.types <= MOST);
    if (x.combiner != MPI_COMBINER_NAMED)
        CHECK_EQ(MPI_Type_get_contents_c(type, x.ints, x.addresses, x.counts, x.types, x.i, x.a,
                                         x.c, x.t),
                 MPI_SUCCESS);
    if (x.counts == 0 && x.combiner != MPI_COMBINER_NAMED) {
        int ints, addresses, types, combiner;
        struct contents y = x;
        CHECK_EQ(MPI_Type_get_envelope(type, &ints, &addresses, &types, &combiner), MPI_SUCCESS);
        CHECK(ints == x.ints && addresses == x.addresses && types == x.types);
        CHECK_EQ(combiner, x.combiner);
        CHECK_EQ(MPI_Type_get_contents(type, ints, addresses, types, y.i, y.a, y.t), MPI_SUCCESS);
        CHECK_EQ(memcmp(&x, &y, sizeof x), 0);
        for (int k = 0; k < types; k++) { /* each answer gave handles */
            int n, m, l, named;
            MPI_Type_get_envelope(y.t[k], &n, &m, &l, &named);
            if (named != MPI_COMBINER_NAMED)
                MPI_Type_free(&y.t[k]);
        }
    }
    return x;
}

static void let_go(struct contents *x)
{
    for (MPI_Count k = 0; k < x->types; k++) {
        MPI_Count n[4];
        int combiner;
        MPI_Type_get_envelope_c(x->t[k], &n[0], &n[1], &n[2], &n[3], &combiner);
        if (combiner != MPI_COMBINER_NAMED)
            CHECK_EQ(MPI_Type_free(&x->t[k]), MPI_SUCCESS);
    }
}

/* The type has this combiner and these arguments: those of the int form, in order; with large
 * counts the same numbers come as counts, but for those that stay int. */
static void expect(MPI_Datatype *type, int combiner, int large, const long long *ints, int n_ints,
                   const long long *addresses, int n_addresses, const char *stays_int)
{
    struct contents x = ask(*type);
    CHECK_EQ(x.combiner, combiner);
    if (!large) {
        CHECK_EQ(x.ints, n_ints);
        CHECK_EQ(x.addresses, n_addresses);
        CHECK_EQ(x.counts, 0);
        for (int k = 0; k < n_ints; k++)
            CHECK_EQ(x.i[k], ints[k]);
        for (int k = 0; k < n_addresses; k++)
            CHECK_EQ(x.a[k], addresses[k]);
    } else {
        MPI_Count i = 0, c = 0;
        CHECK_EQ(x.addresses, 0);
        for (int k = 0; k < n_ints; k++)
            if (stays_int && stays_int[k] == 'i')
                CHECK_EQ(x.i[i++], ints[k]);
            else
                CHECK_EQ(x.c[c++], ints[k]);
        for (int k = 0; k < n_addresses; k++)
            CHECK_EQ(x.c[c++], addresses[k]);
        CHECK_EQ(x.ints, i);
        CHECK_EQ(x.counts, c);
        if (c) {
            int n, m, l, which;
            CHECK_EQ(MPI_Type_get_envelope(*type, &n, &m, &l, &which), MPI_ERR_TYPE);
        }
    }
    let_go(&x);
    CHECK_EQ(MPI_Type_free(type), MPI_SUCCESS);
}

#define LIST(...) ((const long long[]){__VA_ARGS__})

static void small(void)
{
    MPI_Datatype t;
    const int lengths[] = {2, 0, 3}, places[] = {5, 1, -7}, dims[] = {4, 6, 8}, sub[] = {2, 3, 4},
              starts[] = {1, 2, 3};
    const MPI_Aint far[] = {80, 16, -32};
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    MPI_Type_contiguous(7, MPI_INT, &t);
    expect(&t, MPI_COMBINER_CONTIGUOUS, 0, LIST(7), 1, NULL, 0, NULL);
    MPI_Type_vector(3, 2, -4, MPI_SHORT, &t);
    expect(&t, MPI_COMBINER_VECTOR, 0, LIST(3, 2, -4), 3, NULL, 0, NULL);
    MPI_Type_create_hvector(3, 2, -40, MPI_SHORT, &t);
    expect(&t, MPI_COMBINER_HVECTOR, 0, LIST(3, 2), 2, LIST(-40), 1, NULL);
    MPI_Type_indexed(3, lengths, places, MPI_INT, &t);
    expect(&t, MPI_COMBINER_INDEXED, 0, LIST(3, 2, 0, 3, 5, 1, -7), 7, NULL, 0, NULL);
    MPI_Type_create_hindexed(3, lengths, far, MPI_INT, &t);
    expect(&t, MPI_COMBINER_HINDEXED, 0, LIST(3, 2, 0, 3), 4, LIST(80, 16, -32), 3, NULL);
    MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &t);
    expect(&t, MPI_COMBINER_INDEXED_BLOCK, 0, LIST(3, 2, 5, 1, -7), 5, NULL, 0, NULL);
    MPI_Type_create_hindexed_block(3, 2, far, MPI_INT, &t);
    expect(&t, MPI_COMBINER_HINDEXED_BLOCK, 0, LIST(3, 2), 2, LIST(80, 16, -32), 3, NULL);
    MPI_Type_create_struct(3, lengths, far, types, &t);
    expect(&t, MPI_COMBINER_STRUCT, 0, LIST(3, 2, 0, 3), 4, LIST(80, 16, -32), 3, NULL);
    MPI_Type_create_subarray(3, dims, sub, starts, MPI_ORDER_FORTRAN, MPI_INT, &t);
    expect(&t, MPI_COMBINER_SUBARRAY, 0, LIST(3, 4, 6, 8, 2, 3, 4, 1, 2, 3, MPI_ORDER_FORTRAN), 11,
           NULL, 0, NULL);
    MPI_Type_create_resized(MPI_INT, -3, 17, &t);
    expect(&t, MPI_COMBINER_RESIZED, 0, NULL, 0, LIST(-3, 17), 2, NULL);
}

static void large(void)
{
    MPI_Datatype t;
    const MPI_Count lengths[] = {2, 0, 3}, places[] = {5, 1, -7}, dims[] = {4, 6, 8},
                    sub[] = {2, 3, 4}, starts[] = {1, 2, 3};
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    MPI_Type_contiguous_c(1LL << 40, MPI_INT, &t);
    expect(&t, MPI_COMBINER_CONTIGUOUS, 1, LIST(1LL << 40), 1, NULL, 0, NULL);
    MPI_Type_vector_c(3, 2, 1LL << 33, MPI_SHORT, &t);
    expect(&t, MPI_COMBINER_VECTOR, 1, LIST(3, 2, 1LL << 33), 3, NULL, 0, NULL);
    MPI_Type_create_hvector_c(3, 2, -40, MPI_SHORT, &t);
    expect(&t, MPI_COMBINER_HVECTOR, 1, LIST(3, 2), 2, LIST(-40), 1, NULL);
    MPI_Type_indexed_c(3, lengths, places, MPI_INT, &t);
    expect(&t, MPI_COMBINER_INDEXED, 1, LIST(3, 2, 0, 3, 5, 1, -7), 7, NULL, 0, NULL);
    MPI_Type_create_hindexed_c(3, lengths, places, MPI_INT, &t);
    expect(&t, MPI_COMBINER_HINDEXED, 1, LIST(3, 2, 0, 3), 4, LIST(5, 1, -7), 3, NULL);
    MPI_Type_create_indexed_block_c(3, 2, places, MPI_INT, &t);
    expect(&t, MPI_COMBINER_INDEXED_BLOCK, 1, LIST(3, 2, 5, 1, -7), 5, NULL, 0, NULL);
    MPI_Type_create_hindexed_block_c(3, 2, places, MPI_INT, &t);
    expect(&t, MPI_COMBINER_HINDEXED_BLOCK, 1, LIST(3, 2), 2, LIST(5, 1, -7), 3, NULL);
    MPI_Type_create_struct_c(3, lengths, places, types, &t);
    expect(&t, MPI_COMBINER_STRUCT, 1, LIST(3, 2, 0, 3), 4, LIST(5, 1, -7), 3, NULL);
    MPI_Type_create_subarray_c(3, dims, sub, starts, MPI_ORDER_C, MPI_INT, &t);
    expect(&t, MPI_COMBINER_SUBARRAY, 1, LIST(3, 4, 6, 8, 2, 3, 4, 1, 2, 3, MPI_ORDER_C), 11, NULL,
           0, "i         i");
    MPI_Type_create_resized_c(MPI_INT, -3, 17, &t);
    expect(&t, MPI_COMBINER_RESIZED, 1, NULL, 0, LIST(-3, 17), 2, NULL);
}

static void darray(void)
{
    MPI_Datatype t;
    const int sizes[] = {10, 12}, distribs[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    const int args[] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, grid[] = {2, 3};
    const MPI_Count wide[] = {10, 12};
#define DARRAY                                                                                     \
    LIST(6, 4, 2, 10, 12, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG,   \
         2, 2, 3, MPI_ORDER_C)
    MPI_Type_create_darray(6, 4, 2, sizes, distribs, args, grid, MPI_ORDER_C, MPI_INT, &t);
    expect(&t, MPI_COMBINER_DARRAY, 0, DARRAY, 12, NULL, 0, NULL);
    MPI_Type_create_darray_c(6, 4, 2, wide, distribs, args, grid, MPI_ORDER_C, MPI_INT, &t);
    expect(&t, MPI_COMBINER_DARRAY, 1, DARRAY, 12, NULL, 0, "iii  iiiiiii");
}

/* The types of a structure come back, derived ones as handles that must be freed. */
static void nested(void)
{
    MPI_Datatype vector, whole, copy;
    const int lengths[] = {1, 2};
    const MPI_Aint places[] = {0, 64};
    MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
    MPI_Type_create_struct(2, lengths, places, (MPI_Datatype[]){MPI_CHAR, vector}, &whole);
    MPI_Type_free(&vector);
    CHECK(vector == MPI_DATATYPE_NULL);
    MPI_Type_dup(whole, &copy);
    MPI_Type_free(&whole);
    struct contents d = ask(copy);
    CHECK_EQ(d.combiner, MPI_COMBINER_DUP);
    CHECK_EQ(d.types, 1);
    struct contents s = ask(d.t[0]);
    CHECK_EQ(s.combiner, MPI_COMBINER_STRUCT);
    CHECK(s.t[0] == MPI_CHAR);
    struct contents v = ask(s.t[1]);
    CHECK_EQ(v.combiner, MPI_COMBINER_VECTOR);
    CHECK(v.t[0] == MPI_INT && v.i[2] == 2);
    let_go(&v);
    let_go(&s);
    let_go(&d);
    int size;
    MPI_Type_size(copy, &size);
    CHECK_EQ(size, 17);
    MPI_Type_free(&copy);
}

static void f90(void)
{
    MPI_Datatype a, b;
    int size;
    CHECK_EQ(MPI_Type_create_f90_real(6, MPI_UNDEFINED, &a), MPI_SUCCESS);
    MPI_Type_create_f90_real(6, MPI_UNDEFINED, &b);
    CHECK(a == b);
    struct contents x = ask(a);
    CHECK(x.combiner == MPI_COMBINER_F90_REAL && x.ints == 2 && x.types == 0);
    CHECK(x.i[0] == 6 && x.i[1] == MPI_UNDEFINED);
    MPI_Type_size(a, &size);
    CHECK_EQ(size, 4);
    CHECK_EQ(MPI_Type_free(&a), MPI_ERR_TYPE);
    MPI_Type_create_f90_complex(7, 30, &a);
    MPI_Type_size(a, &size);
    CHECK_EQ(size, 16);
    MPI_Type_create_f90_integer(9, &a);
    x = ask(a);
    CHECK(x.combiner == MPI_COMBINER_F90_INTEGER && x.ints == 1 && x.i[0] == 9);
    CHECK_EQ(MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &a), MPI_ERR_ARG);
    CHECK_EQ(MPI_Type_create_f90_real(50, 4, &a), MPI_ERR_ARG);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    struct contents named = ask(MPI_DOUBLE_INT);
    CHECK_EQ(named.combiner, MPI_COMBINER_NAMED);
    CHECK_EQ(MPI_Type_get_contents(MPI_INT, 0, 0, 0, NULL, NULL, NULL), MPI_ERR_TYPE);
    for (int i = 0; i < 20; i++) {
        small();
        large();
        darray();
        nested();
        f90();
    }
    MPI_Finalize();
    return 0;
}
