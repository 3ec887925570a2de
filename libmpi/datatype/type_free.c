/* SPDX-License-Identifier: MIT */
#include "core/attr.h"
#include "datatype/check.h"
#include "datatype/type.h"

#pragma weak MPI_Type_free = PMPI_Type_free

int PMPI_Type_free(MPI_Datatype *datatype)
{
    static const char call[] = "MPI_Type_free";
    const struct mpi_type *t;
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, datatype, "datatype");
    if (rc || (rc = mpi_check_type(NULL, call, *datatype, &t)))
        return rc;
    if (t->handle || t->flags & MPI_TYPE_UNNAMED)
        return mpi_error(NULL, MPI_ERR_TYPE, call, "a predefined datatype cannot be freed");
    /* What is still in use keeps its attributes until its end. */
    if (t->refs == 1 && (rc = mpi_attrs_delete(p, *datatype)))
        return mpi_error(NULL, rc, call, "deleting an attribute failed");
    mpi_type_release(p, t);
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}
