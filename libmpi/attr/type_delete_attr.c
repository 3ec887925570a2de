/* SPDX-License-Identifier: MIT */
#include "core/attr.h"
#include "attr/attr_api.h"

#pragma weak MPI_Type_delete_attr = PMPI_Type_delete_attr

int PMPI_Type_delete_attr(MPI_Datatype datatype, int type_keyval)
{
    static const char call[] = "MPI_Type_delete_attr";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    return mpi_attr_api_delete(p, call, MPI_ATTR_TYPE, datatype, type_keyval);
}
