/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "op/op.h"

#pragma weak MPI_Op_commutative = PMPI_Op_commutative

int PMPI_Op_commutative(MPI_Op op, int *commute)
{
    static const char call[] = "MPI_Op_commutative";
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, commute, "commute");
    if (rc)
        return rc;
    const struct mpi_op *o = mpi_op_of(op);
    if (!o)
        return mpi_error(NULL, MPI_ERR_OP, call, "the handle is no operation");
    *commute = o->commutative;
    return MPI_SUCCESS;
}
