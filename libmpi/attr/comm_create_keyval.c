/* SPDX-License-Identifier: MIT */
#include "core/attr.h"
#include "core/check.h"

#pragma weak MPI_Comm_create_keyval = PMPI_Comm_create_keyval

int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *comm_copy_attr_fn,
                            MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval,
                            void *extra_state)
{
    static const char call[] = "MPI_Comm_create_keyval";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, comm_keyval, "comm_keyval");
    if (rc)
        return rc;
    return mpi_keyval_new(p, call, MPI_ATTR_COMM, (mpi_attr_copy *)comm_copy_attr_fn,
                          (mpi_attr_delete *)comm_delete_attr_fn, extra_state, comm_keyval);
}
