/* SPDX-License-Identifier: MIT */
#include "internal/check.h"
#include "internal/type.h"

#pragma weak MPI_Type_commit = PMPI_Type_commit

int PMPI_Type_commit(MPI_Datatype *datatype)
{
    static const char call[] = "MPI_Type_commit";
    const struct mpi_type *t;
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, datatype, "datatype");
    if (rc || (rc = mpi_check_type(NULL, call, *datatype, &t)))
        return rc;
    if (!(t->flags & MPI_TYPE_COMMITTED)) /* predefined types are */
        ((struct mpi_type *)t)->flags |= MPI_TYPE_COMMITTED;
    return MPI_SUCCESS;
}
