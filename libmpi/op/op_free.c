/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "op/op.h"

#pragma weak MPI_Op_free = PMPI_Op_free

int PMPI_Op_free(MPI_Op *op)
{
    static const char call[] = "MPI_Op_free";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, op, "op");
    if (rc)
        return rc;
    const struct mpi_op *o = mpi_op_of(*op);
    if (!o || o->handle)
        return mpi_error(NULL, MPI_ERR_OP, call, "%s",
                         o ? "a predefined operation cannot be freed"
                           : "the handle is no operation");
    mpi_op_release(p, o);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}
