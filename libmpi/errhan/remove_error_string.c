/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "errhan/code.h"

#pragma weak MPI_Remove_error_string = PMPI_Remove_error_string

int PMPI_Remove_error_string(int errorcode)
{
    static const char call[] = "MPI_Remove_error_string";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_code *c;
    int rc = mpi_check_own_code(p, call, errorcode, &c);
    if (rc)
        return rc;
    if (!c->text)
        return mpi_error(NULL, MPI_ERR_ARG, call, "code %d has no text", errorcode);
    mpi_free(p, c->text);
    c->text = NULL;
    return MPI_SUCCESS;
}
