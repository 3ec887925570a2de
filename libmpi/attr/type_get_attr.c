/* SPDX-License-Identifier: MIT */
#include "core/attr.h"
#include "attr/attr_api.h"

#pragma weak MPI_Type_get_attr = PMPI_Type_get_attr

int PMPI_Type_get_attr(MPI_Datatype datatype, int type_keyval, void *attribute_val, int *flag)
{
    static const char call[] = "MPI_Type_get_attr";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    return mpi_attr_api_get(p, call, MPI_ATTR_TYPE, datatype, type_keyval, attribute_val, flag);
}
