/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "core/check.h"
#include "op/op.h"

#pragma weak MPI_Op_create = PMPI_Op_create
#pragma weak MPI_Op_create_c = PMPI_Op_create_c

/* One of the two functions, with its number of elements in int or in MPI_Count. */
static int create(const char *call, MPI_User_function *user, MPI_User_function_c *user_c,
                  int commute, MPI_Op *op)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, op, "op");
    if (rc)
        return rc;
    if (!user && !user_c)
        return mpi_error(NULL, MPI_ERR_ARG, call, "argument user_fn is a null pointer");
    struct mpi_op *made = mpi_alloc(p, sizeof *made);
    if (!made)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    *made = (struct mpi_op){MPI_IS_OP, 1, 0, commute != 0, user, user_c};
    *op = (MPI_Op)made;
    return MPI_SUCCESS;
}

int PMPI_Op_create(MPI_User_function *user_fn, int commute, MPI_Op *op)
{
    return create("MPI_Op_create", user_fn, NULL, commute, op);
}

int PMPI_Op_create_c(MPI_User_function_c *user_fn, int commute, MPI_Op *op)
{
    return create("MPI_Op_create_c", NULL, user_fn, commute, op);
}
