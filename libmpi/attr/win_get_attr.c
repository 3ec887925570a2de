/* SPDX-License-Identifier: MIT */
#include "core/attr.h"
#include "attr/attr_api.h"

#pragma weak MPI_Win_get_attr = PMPI_Win_get_attr

int PMPI_Win_get_attr(MPI_Win win, int win_keyval, void *attribute_val, int *flag)
{
    static const char call[] = "MPI_Win_get_attr";
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    return mpi_attr_api_get(p, call, MPI_ATTR_WIN, win, win_keyval, attribute_val, flag);
}
