/* SPDX-License-Identifier: MIT */
#include "core/attr.h"
#include "core/check.h"

#pragma weak MPI_Keyval_create = PMPI_Keyval_create

/* Deprecated: MPI_Comm_create_keyval. */
int PMPI_Keyval_create(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval,
                       void *extra_state)
{
    static const char call[] = "MPI_Keyval_create";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, keyval, "keyval");
    if (rc)
        return rc;
    return mpi_keyval_new(p, call, MPI_ATTR_COMM, (mpi_attr_copy *)copy_fn,
                          (mpi_attr_delete *)delete_fn, extra_state, keyval);
}
