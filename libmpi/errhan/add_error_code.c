/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "errhan/code.h"

#pragma weak MPI_Add_error_code = PMPI_Add_error_code

int PMPI_Add_error_code(int errorclass, int *errorcode)
{
    static const char call[] = "MPI_Add_error_code";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, errorcode, "errorcode");
    if (rc)
        return rc;
    if (mpi_class_of(p, errorclass) != errorclass)
        return mpi_error(NULL, MPI_ERR_ARG, call, "%d is no error class", errorclass);
    return mpi_code_add(p, call, errorclass, errorcode);
}
