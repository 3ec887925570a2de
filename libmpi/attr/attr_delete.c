/* SPDX-License-Identifier: MIT */
#include "core/attr.h"
#include "attr/attr_api.h"

#pragma weak MPI_Attr_delete = PMPI_Attr_delete

/* Deprecated: MPI_Comm_delete_attr. */
int PMPI_Attr_delete(MPI_Comm comm, int keyval)
{
    static const char call[] = "MPI_Attr_delete";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    return mpi_attr_api_delete(p, call, MPI_ATTR_COMM, comm, keyval);
}
