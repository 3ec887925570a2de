/* SPDX-License-Identifier: MIT */
#include "core/attr.h"
#include "core/check.h"

#pragma weak MPI_Type_create_keyval = PMPI_Type_create_keyval

int PMPI_Type_create_keyval(MPI_Type_copy_attr_function *type_copy_attr_fn,
                            MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval,
                            void *extra_state)
{
    static const char call[] = "MPI_Type_create_keyval";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, type_keyval, "type_keyval");
    if (rc)
        return rc;
    return mpi_keyval_new(p, call, MPI_ATTR_TYPE, (mpi_attr_copy *)type_copy_attr_fn,
                          (mpi_attr_delete *)type_delete_attr_fn, extra_state, type_keyval);
}
