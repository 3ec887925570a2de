/* SPDX-License-Identifier: MIT */
/* A program from before MPI 3.0 compiles: each removed name does what its successor does. */
#include <stddef.h>

#include "check.h"

struct particle {
    double place[3];
    char kind;
    int charge;
};

static int errors_seen;

static void count_error(MPI_Comm *comm, int *code, ...)
{
    errors_seen += *comm == MPI_COMM_WORLD && *code == MPI_ERR_RANK;
}

static void describes_structures(void)
{
    struct particle p;
    int lengths[3] = {3, 1, 1};
    MPI_Datatype parts[3] = {MPI_DOUBLE, MPI_CHAR, MPI_INT}, type;
    MPI_Aint at[3], base, lb, ub, extent;
    CHECK_EQ(MPI_Address(&p, &base), MPI_SUCCESS);
    CHECK_EQ(MPI_Address(p.place, &at[0]), MPI_SUCCESS);
    CHECK_EQ(MPI_Address(&p.kind, &at[1]), MPI_SUCCESS);
    CHECK_EQ(MPI_Address(&p.charge, &at[2]), MPI_SUCCESS);
    for (int i = 0; i < 3; i++)
        at[i] -= base;
    CHECK_EQ(at[2], offsetof(struct particle, charge));
    CHECK_EQ(MPI_Type_struct(3, lengths, at, parts, &type), MPI_SUCCESS);
    CHECK_EQ(MPI_Type_extent(type, &extent), MPI_SUCCESS);
    CHECK_EQ(MPI_Type_lb(type, &lb), MPI_SUCCESS);
    CHECK_EQ(MPI_Type_ub(type, &ub), MPI_SUCCESS);
    CHECK(extent == sizeof p && lb == 0 && ub == sizeof p);
    CHECK_EQ(MPI_Type_free(&type), MPI_SUCCESS);
}

static void describes_blocks(void)
{
    int two[2] = {1, 2}, size;
    MPI_Aint at[2] = {16, 40}, lb, ub;
    MPI_Datatype type;
    CHECK_EQ(MPI_Type_hvector(3, 1, 32, MPI_INT, &type), MPI_SUCCESS);
    CHECK_EQ(MPI_Type_ub(type, &ub), MPI_SUCCESS);
    CHECK_EQ(ub, 68);
    CHECK_EQ(MPI_Type_free(&type), MPI_SUCCESS);
    CHECK_EQ(MPI_Type_hindexed(2, two, at, MPI_INT, &type), MPI_SUCCESS);
    CHECK_EQ(MPI_Type_lb(type, &lb), MPI_SUCCESS);
    CHECK_EQ(lb, 16);
    CHECK_EQ(MPI_Type_size(type, &size), MPI_SUCCESS);
    CHECK_EQ(size, 12);
    CHECK_EQ(MPI_Type_free(&type), MPI_SUCCESS);
}

static void handles_errors(void)
{
    MPI_Handler_function *handler = count_error;
    MPI_Errhandler mine, old;
    int n;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    CHECK_EQ(MPI_Errhandler_get(MPI_COMM_WORLD, &old), MPI_SUCCESS);
    CHECK_EQ(MPI_Errhandler_create(handler, &mine), MPI_SUCCESS);
    CHECK_EQ(MPI_Errhandler_set(MPI_COMM_WORLD, mine), MPI_SUCCESS);
    CHECK_EQ(MPI_Send(&n, 1, MPI_INT, n, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_EQ(errors_seen, 1);
    CHECK_EQ(MPI_Errhandler_set(MPI_COMM_WORLD, old), MPI_SUCCESS);
    CHECK_EQ(MPI_Errhandler_free(&mine), MPI_SUCCESS);
    MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Type_lb(MPI_INT, NULL), MPI_ERR_ARG);
    CHECK_EQ(MPI_Type_ub(MPI_INT, NULL), MPI_ERR_ARG);
    CHECK_EQ(MPI_Type_extent(MPI_INT, NULL), MPI_ERR_ARG);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    describes_structures();
    describes_blocks();
    handles_errors();
    MPI_Finalize();
    return 0;
}
