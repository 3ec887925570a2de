/* SPDX-License-Identifier: MIT */
#include "core/attr.h"
#include "core/check.h"

#pragma weak MPI_Win_create_keyval = PMPI_Win_create_keyval

int PMPI_Win_create_keyval(MPI_Win_copy_attr_function *win_copy_attr_fn,
                           MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval,
                           void *extra_state)
{
    static const char call[] = "MPI_Win_create_keyval";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, win_keyval, "win_keyval");
    if (rc)
        return rc;
    return mpi_keyval_new(p, call, MPI_ATTR_WIN, (mpi_attr_copy *)win_copy_attr_fn,
                          (mpi_attr_delete *)win_delete_attr_fn, extra_state, win_keyval);
}
