/* SPDX-License-Identifier: MIT */
#include "core/attr.h"
#include "attr/attr_api.h"

#pragma weak MPI_Attr_put = PMPI_Attr_put

/* Deprecated: MPI_Comm_set_attr. */
int PMPI_Attr_put(MPI_Comm comm, int keyval, void *attribute_val)
{
    static const char call[] = "MPI_Attr_put";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    return mpi_attr_api_set(p, call, MPI_ATTR_COMM, comm, keyval, attribute_val);
}
