/* SPDX-License-Identifier: MIT */
/* Communicators, groups and error handlers, each rank with its own. Defect 6 of the ancestor:
 * ranks of a cluster shared MPI_COMM_SELF and the error handler of MPI_COMM_WORLD; freeing a
 * group freed memory that was none. */
#include "check.h"

static void check_group(MPI_Comm comm, int want_size, int want_rank)
{
    MPI_Group group = MPI_GROUP_NULL;
    int size = -1, rank = -1;
    CHECK_EQ(MPI_Comm_group(comm, &group), MPI_SUCCESS);
    CHECK(group != MPI_GROUP_NULL);
    CHECK_EQ(MPI_Group_size(group, &size), MPI_SUCCESS);
    CHECK_EQ(size, want_size);
    CHECK_EQ(MPI_Group_rank(group, &rank), MPI_SUCCESS);
    CHECK_EQ(rank, want_rank);
    CHECK_EQ(MPI_Group_free(&group), MPI_SUCCESS);
    CHECK(group == MPI_GROUP_NULL);
}

static void check_compare(int world)
{
    int result = -1;
    MPI_Group a, b;
    CHECK_EQ(MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &result), MPI_SUCCESS);
    CHECK_EQ(result, MPI_IDENT);
    CHECK_EQ(MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, &result), MPI_SUCCESS);
    CHECK_EQ(result, world == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
    MPI_Comm_group(MPI_COMM_WORLD, &a);
    MPI_Comm_group(MPI_COMM_WORLD, &b);
    CHECK(a != b);
    CHECK_EQ(MPI_Group_compare(a, b, &result), MPI_SUCCESS);
    CHECK_EQ(result, MPI_IDENT);
    CHECK_EQ(MPI_Group_compare(a, MPI_GROUP_EMPTY, &result), MPI_SUCCESS);
    CHECK_EQ(result, MPI_UNEQUAL);
    MPI_Group_free(&a);
    MPI_Group_free(&b);
}

static void check_empty(void)
{
    int n = -1;
    MPI_Group_size(MPI_GROUP_EMPTY, &n);
    CHECK_EQ(n, 0);
    MPI_Group_rank(MPI_GROUP_EMPTY, &n);
    CHECK_EQ(n, MPI_UNDEFINED);
}

/* Each rank makes its handler different from its neighbours'. */
static void check_errhandlers(int rank)
{
    MPI_Errhandler mine = rank % 2 ? MPI_ERRORS_RETURN : MPI_ERRORS_ABORT, got;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
    CHECK(got == mine);
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &got);
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    CHECK_EQ(MPI_Errhandler_free(&got), MPI_SUCCESS);
    CHECK(got == MPI_ERRHANDLER_NULL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size(), n = -1;
    check_group(MPI_COMM_WORLD, size, rank);
    check_group(MPI_COMM_SELF, 1, 0);
    MPI_Comm_size(MPI_COMM_SELF, &n);
    CHECK_EQ(n, 1);
    check_compare(size);
    check_empty();
    check_errhandlers(rank);
    for (int i = 0; i < 1000; i++)
        check_group(MPI_COMM_WORLD, size, rank);
    MPI_Finalize();
    return 0;
}
