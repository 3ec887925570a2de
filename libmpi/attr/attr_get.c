/* SPDX-License-Identifier: MIT */
#include "core/attr.h"
#include "attr/attr_api.h"

#pragma weak MPI_Attr_get = PMPI_Attr_get

/* Deprecated: MPI_Comm_get_attr. */
int PMPI_Attr_get(MPI_Comm comm, int keyval, void *attribute_val, int *flag)
{
    static const char call[] = "MPI_Attr_get";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    return mpi_attr_api_get(p, call, MPI_ATTR_COMM, comm, keyval, attribute_val, flag);
}
