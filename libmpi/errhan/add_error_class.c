/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "errhan/code.h"

#pragma weak MPI_Add_error_class = PMPI_Add_error_class

/* May be called at any time, as all functions on error classes and codes. */
int PMPI_Add_error_class(int *errorclass)
{
    static const char call[] = "MPI_Add_error_class";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, errorclass, "errorclass");
    return rc ? rc : mpi_code_add(p, call, MPI_CODE_OWN_CLASS, errorclass);
}
