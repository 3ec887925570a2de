/* SPDX-License-Identifier: MIT */
#include "core/attr.h"

#pragma weak MPI_Type_free_keyval = PMPI_Type_free_keyval

int PMPI_Type_free_keyval(int *type_keyval)
{
    static const char call[] = "MPI_Type_free_keyval";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    return mpi_keyval_free(p, call, MPI_ATTR_TYPE, type_keyval);
}
