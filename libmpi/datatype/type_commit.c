/* SPDX-License-Identifier: MIT */
#include "datatype/check.h"
#include "datatype/type_plan.h"

#pragma weak MPI_Type_commit = PMPI_Type_commit

int PMPI_Type_commit(MPI_Datatype *datatype)
{
    static const char call[] = "MPI_Type_commit";
    const struct mpi_type *t;
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, datatype, "datatype");
    if (rc || (rc = mpi_check_type(NULL, call, *datatype, &t)))
        return rc;
    if (t->flags & MPI_TYPE_COMMITTED) /* predefined types are */
        return MPI_SUCCESS;
    rc = mpi_type_compile(p, t);
    if (rc)
        return mpi_error(NULL, rc, call, "no memory for the plan of the datatype");
    ((struct mpi_type *)t)->flags |= MPI_TYPE_COMMITTED;
    return MPI_SUCCESS;
}
