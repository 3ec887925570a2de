/* SPDX-License-Identifier: MIT */
#include "core/attr.h"

#pragma weak MPI_Keyval_free = PMPI_Keyval_free

/* Deprecated: MPI_Comm_free_keyval. */
int PMPI_Keyval_free(int *keyval)
{
    static const char call[] = "MPI_Keyval_free";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    return mpi_keyval_free(p, call, MPI_ATTR_COMM, keyval);
}
