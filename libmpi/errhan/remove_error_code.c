/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "errhan/code.h"

#pragma weak MPI_Remove_error_code = PMPI_Remove_error_code

int PMPI_Remove_error_code(int errorcode)
{
    static const char call[] = "MPI_Remove_error_code";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_code *c;
    int rc = mpi_check_own_code(p, call, errorcode, &c);
    if (rc)
        return rc;
    if (c->class == c->number)
        return mpi_error(NULL, MPI_ERR_ARG, call, "%d is a class, not a code", errorcode);
    return mpi_code_remove(p, call, c);
}
