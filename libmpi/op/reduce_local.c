/* SPDX-License-Identifier: MIT */
#include "datatype/check.h"
#include "op/op.h"

#pragma weak MPI_Reduce_local = PMPI_Reduce_local
#pragma weak MPI_Reduce_local_c = PMPI_Reduce_local_c

static int reduce_local(const char *call, const void *in, void *inout, MPI_Count count,
                        MPI_Datatype datatype, MPI_Op handle)
{
    const struct mpi_op *op;
    const struct mpi_type *t;
    uint64_t bytes;
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    int rc = mpi_check_data(NULL, call, in, count, datatype, &t, &bytes);
    if (rc || (rc = mpi_check_data(NULL, call, inout, count, datatype, &t, &bytes)))
        return rc;
    if ((rc = mpi_check_op(NULL, call, handle, t, &op)))
        return rc;
    if (mpi_type_overlap(t, count, in, t, count, inout))
        return mpi_error(NULL, MPI_ERR_BUFFER, call, "inbuf and inoutbuf overlap");
    mpi_op_apply(op, t, in, inout, count);
    return MPI_SUCCESS;
}

int PMPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype,
                      MPI_Op op)
{
    return reduce_local("MPI_Reduce_local", inbuf, inoutbuf, count, datatype, op);
}

int PMPI_Reduce_local_c(const void *inbuf, void *inoutbuf, MPI_Count count, MPI_Datatype datatype,
                        MPI_Op op)
{
    return reduce_local("MPI_Reduce_local_c", inbuf, inoutbuf, count, datatype, op);
}
