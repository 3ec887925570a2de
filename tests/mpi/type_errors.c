/* SPDX-License-Identifier: MIT */
/* Wrong arguments to the functions of datatypes, packing and operations give their classes; bounds
 * and sizes of types made from MPI 5.0, 5.1; what is freed while in use lives on. */
#include <stdint.h>
#include <string.h>

#include "check.h"

static void no_function(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

static void constructors(void)
{
    MPI_Datatype t, null = MPI_DATATYPE_NULL, bad = (MPI_Datatype)MPI_SUM;
    const int lengths[] = {1, -1}, places[] = {0, 1}, dims[] = {4, 4}, sub[] = {2, 5},
              starts[] = {1, 0}, args[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG},
              block[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK}, grid[] = {2, 2};
    const MPI_Aint far[] = {0, 8};
    CHECK_EQ(MPI_Type_contiguous(-1, MPI_INT, &t), MPI_ERR_COUNT);
    CHECK_EQ(MPI_Type_contiguous(1, null, &t), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_contiguous(1, bad, &t), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_contiguous(1, MPI_INT, NULL), MPI_ERR_ARG);
    CHECK_EQ(MPI_Type_contiguous_c(INT64_MAX, MPI_INT, &t), MPI_ERR_COUNT);
    CHECK_EQ(MPI_Type_vector(-1, 1, 1, MPI_INT, &t), MPI_ERR_COUNT);
    CHECK_EQ(MPI_Type_vector(1, 1, 1, null, &t), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_vector_c(1LL << 40, 1, 1LL << 40, MPI_INT, &t), MPI_ERR_COUNT);
    CHECK_EQ(MPI_Type_create_hvector(1, 1, 1, null, &t), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_indexed(-2, lengths, places, MPI_INT, &t), MPI_ERR_COUNT);
    CHECK_EQ(MPI_Type_indexed(2, lengths, places, MPI_INT, &t), MPI_ERR_ARG);
    CHECK_EQ(MPI_Type_indexed(1, NULL, places, MPI_INT, &t), MPI_ERR_ARG);
    CHECK_EQ(MPI_Type_create_hindexed(1, lengths, NULL, MPI_INT, &t), MPI_ERR_ARG);
    CHECK_EQ(MPI_Type_create_indexed_block(2, 1, places, null, &t), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_create_struct(1, lengths, far, &null, &t), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_create_struct(1, lengths, far, NULL, &t), MPI_ERR_ARG);
    CHECK_EQ(MPI_Type_create_resized(null, 0, 4, &t), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_dup(null, &t), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_create_subarray(2, dims, sub, starts, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG);
    CHECK_EQ(MPI_Type_create_subarray(1, dims, sub, starts, 77, MPI_INT, &t), MPI_ERR_ARG);
    CHECK_EQ(MPI_Type_create_darray(5, 0, 2, dims, block, args, grid, MPI_ORDER_C, MPI_INT, &t),
             MPI_ERR_ARG);
    CHECK_EQ(MPI_Type_create_darray(4, 4, 2, dims, block, args, grid, MPI_ORDER_C, MPI_INT, &t),
             MPI_ERR_ARG);
    CHECK_EQ(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &t), MPI_ERR_ARG);
}

static void handles(void)
{
    MPI_Datatype t, freed, integer = MPI_INT, null = MPI_DATATYPE_NULL;
    char buf[64];
    int n, at = 0;
    MPI_Type_contiguous(3, MPI_INT, &t);
    CHECK_EQ(MPI_Pack(buf, 1, t, buf + 32, 32, &at, MPI_COMM_SELF), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_commit(&t), MPI_SUCCESS);
    CHECK_EQ(MPI_Type_commit(&t), MPI_SUCCESS);
    CHECK_EQ(MPI_Pack(buf, 1, t, buf + 32, 32, &at, MPI_COMM_SELF), MPI_SUCCESS);
    CHECK_EQ(at, 12);
    freed = t;
    CHECK_EQ(MPI_Type_free(&t), MPI_SUCCESS);
    CHECK(t == MPI_DATATYPE_NULL);
    CHECK_EQ(MPI_Type_size(freed, &n), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_free(&null), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_free(&integer), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_commit(&null), MPI_ERR_TYPE);
    CHECK_EQ(MPI_Type_commit(&integer), MPI_SUCCESS);
}

static void packing(void)
{
    int data[4] = {1, 2, 3, 4}, at = 0, size;
    char buf[16];
    MPI_Aint place = 0;
    CHECK_EQ(MPI_Pack(data, 4, MPI_INT, buf, 15, &at, MPI_COMM_SELF), MPI_ERR_TRUNCATE);
    CHECK_EQ(at, 0);
    CHECK_EQ(MPI_Pack(data, -1, MPI_INT, buf, 16, &at, MPI_COMM_SELF), MPI_ERR_COUNT);
    CHECK_EQ(MPI_Pack(NULL, 1, MPI_INT, buf, 16, &at, MPI_COMM_SELF), MPI_ERR_BUFFER);
    CHECK_EQ(MPI_Pack(data, 1, MPI_INT, NULL, 16, &at, MPI_COMM_SELF), MPI_ERR_BUFFER);
    CHECK_EQ(MPI_Pack(data, 1, MPI_INT, buf, 16, NULL, MPI_COMM_SELF), MPI_ERR_ARG);
    CHECK_EQ(MPI_Pack(data, 1, MPI_INT, buf, 16, &at, MPI_COMM_NULL), MPI_ERR_COMM);
    CHECK_EQ(MPI_Unpack(buf, 3, &at, data, 1, MPI_INT, MPI_COMM_SELF), MPI_ERR_TRUNCATE);
    at = 20;
    CHECK_EQ(MPI_Unpack(buf, 16, &at, data, 1, MPI_INT, MPI_COMM_SELF), MPI_ERR_ARG);
    CHECK_EQ(MPI_Pack_size(2, MPI_DOUBLE_INT, MPI_COMM_SELF, &size), MPI_SUCCESS);
    CHECK_EQ(size, 24);
    CHECK_EQ(MPI_Pack_external("native", data, 1, MPI_INT, buf, 16, &place),
             MPI_ERR_UNSUPPORTED_DATAREP);
    CHECK_EQ(MPI_Pack_external("external32", data, 4, MPI_INT, buf, 8, &place), MPI_ERR_TRUNCATE);
}

static void operations(void)
{
    MPI_Op op = MPI_SUM, made, freed;
    MPI_Datatype t;
    int a = 1, b = 2, commutes;
    float x = 1, y = 2;
    CHECK_EQ(MPI_Op_free(&op), MPI_ERR_OP);
    op = MPI_OP_NULL;
    CHECK_EQ(MPI_Op_free(&op), MPI_ERR_OP);
    CHECK_EQ(MPI_Op_create(NULL, 1, &made), MPI_ERR_ARG);
    CHECK_EQ(MPI_Op_create(no_function, 1, NULL), MPI_ERR_ARG);
    CHECK_EQ(MPI_Op_create(no_function, 0, &made), MPI_SUCCESS);
    CHECK_EQ(MPI_Op_commutative(made, &commutes), MPI_SUCCESS);
    CHECK_EQ(commutes, 0);
    freed = made;
    CHECK_EQ(MPI_Op_free(&made), MPI_SUCCESS);
    CHECK(made == MPI_OP_NULL);
    CHECK_EQ(MPI_Op_commutative(freed, &commutes), MPI_ERR_OP);
    CHECK_EQ(MPI_Op_commutative(MPI_MAXLOC, &commutes), MPI_SUCCESS);
    CHECK_EQ(commutes, 1);
    CHECK_EQ(MPI_Reduce_local(&a, &b, 1, MPI_INT, MPI_OP_NULL), MPI_ERR_OP);
    CHECK_EQ(MPI_Reduce_local(&a, &b, 1, MPI_INT, MPI_MAXLOC), MPI_ERR_OP);
    CHECK_EQ(MPI_Reduce_local(&x, &y, 1, MPI_FLOAT, MPI_BAND), MPI_ERR_OP);
    CHECK_EQ(MPI_Reduce_local(&a, &b, 1, MPI_INT, MPI_REPLACE), MPI_ERR_OP);
    CHECK_EQ(MPI_Reduce_local(&a, &a, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    CHECK_EQ(MPI_Reduce_local(&a, NULL, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    CHECK_EQ(MPI_Reduce_local(&a, &b, -1, MPI_INT, MPI_SUM), MPI_ERR_COUNT);
    CHECK_EQ(MPI_Reduce_local(&a, &b, 1, MPI_DATATYPE_NULL, MPI_SUM), MPI_ERR_TYPE);
    MPI_Type_contiguous(1, MPI_INT, &t);
    MPI_Type_commit(&t);
    CHECK_EQ(MPI_Reduce_local(&a, &b, 1, t, MPI_SUM), MPI_ERR_OP);
    MPI_Type_free(&t);
    CHECK_EQ(b, 2);
}

static void check_bounds(MPI_Datatype *t, MPI_Aint lb, MPI_Aint extent, MPI_Aint true_lb,
                         MPI_Aint true_extent)
{
    MPI_Aint a, b;
    MPI_Count c, d;
    MPI_Type_get_extent(*t, &a, &b);
    CHECK_EQ(a, lb);
    CHECK_EQ(b, extent);
    MPI_Type_get_true_extent(*t, &a, &b);
    CHECK_EQ(a, true_lb);
    CHECK_EQ(b, true_extent);
    MPI_Type_get_extent_c(*t, &c, &d);
    CHECK(c == lb && d == extent);
    MPI_Type_get_true_extent_x(*t, &c, &d);
    CHECK(c == true_lb && d == true_extent);
    MPI_Type_free(t);
}

static void bounds(void)
{
    MPI_Datatype t, marked, pair[2] = {MPI_DOUBLE, MPI_CHAR};
    const int ones[] = {1, 1};
    const MPI_Aint places[] = {0, 8}, odd[] = {3, 8};
    /* MPI 5.0, examples of 5.1.1: {(double, 0), (char, 8)} has extent 16. */
    MPI_Type_create_struct(2, ones, places, pair, &t);
    check_bounds(&t, 0, 16, 0, 9);
    MPI_Type_create_hindexed_block(2, 1, odd, MPI_CHAR, &t);
    check_bounds(&t, 3, 6, 3, 6);
    MPI_Type_vector(3, 2, -4, MPI_INT, &t);
    check_bounds(&t, -32, 40, -32, 40);
    MPI_Type_contiguous(0, MPI_INT, &t);
    check_bounds(&t, 0, 0, 0, 0);
    /* 5.1.7: bounds that were given hold whatever is around. */
    MPI_Type_create_resized(MPI_INT, -3, 9, &marked);
    MPI_Type_contiguous(2, marked, &t);
    check_bounds(&t, -3, 18, 0, 13);
    pair[0] = marked;
    pair[1] = MPI_INT;
    const MPI_Aint far[] = {0, 40};
    MPI_Type_create_struct(2, ones, far, pair, &t);
    check_bounds(&t, -3, 9, 0, 44);
    MPI_Type_free(&marked);
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME], longest[300];
    int n;
    MPI_Datatype t;
    CHECK_EQ(MPI_Type_get_name(MPI_DOUBLE_INT, name, &n), MPI_SUCCESS);
    CHECK(strcmp(name, "MPI_DOUBLE_INT") == 0 && n == 14);
    MPI_Type_get_name(MPI_DATATYPE_NULL, name, &n);
    CHECK(strcmp(name, "MPI_DATATYPE_NULL") == 0);
    MPI_Type_dup(MPI_INT, &t);
    MPI_Type_get_name(t, name, &n);
    CHECK(n == 0 && name[0] == 0);
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    CHECK_EQ(MPI_Type_set_name(t, longest), MPI_SUCCESS);
    MPI_Type_get_name(t, name, &n);
    CHECK_EQ(n, MPI_MAX_OBJECT_NAME - 1);
    CHECK_EQ(MPI_Type_set_name(MPI_INT, "mine"), MPI_SUCCESS);
    MPI_Type_get_name(MPI_INT, name, &n);
    CHECK_EQ(strcmp(name, "mine"), 0);
    MPI_Type_set_name(MPI_INT, "MPI_INT");
    CHECK_EQ(MPI_Type_set_name(t, NULL), MPI_ERR_ARG);
    MPI_Type_free(&t);
    MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &t);
    CHECK(t == MPI_DOUBLE_INT);
    MPI_Type_get_value_index(MPI_CHAR, MPI_FLOAT, &t);
    CHECK(t == MPI_DATATYPE_NULL);
    MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &t);
    CHECK(t == MPI_COMPLEX16);
}

/* Deep, but finite: the stack of a rank is. */
static void depth(void)
{
    MPI_Datatype t, next;
    int rc = MPI_SUCCESS, levels = 0;
    MPI_Type_vector(2, 1, 2, MPI_INT, &t);
    while (!rc && levels < 1000) {
        rc = MPI_Type_dup(t, &next);
        if (!rc) {
            MPI_Type_free(&t);
            t = next;
            levels++;
        }
    }
    CHECK_EQ(rc, MPI_ERR_TYPE);
    CHECK(levels >= 64);
    int data[3] = {1, 2, 3}, out[2], at = 0;
    MPI_Type_commit(&t);
    CHECK_EQ(MPI_Pack(data, 1, t, out, 8, &at, MPI_COMM_SELF), MPI_SUCCESS);
    CHECK(out[0] == 1 && out[1] == 3);
    MPI_Type_free(&t);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    constructors();
    handles();
    packing();
    operations();
    bounds();
    names();
    depth();
    MPI_Finalize();
    return 0;
}
