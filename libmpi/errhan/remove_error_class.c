/* SPDX-License-Identifier: MIT */
#include "core/check.h"
#include "errhan/code.h"

#pragma weak MPI_Remove_error_class = PMPI_Remove_error_class

/* Its codes must be gone. */
int PMPI_Remove_error_class(int errorclass)
{
    static const char call[] = "MPI_Remove_error_class";
    struct mpi_process *p = mpi_process_for(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_code *c;
    int rc = mpi_check_own_code(p, call, errorclass, &c);
    if (rc)
        return rc;
    if (c->class != c->number)
        return mpi_error(NULL, MPI_ERR_ARG, call, "%d is a code, not a class", errorclass);
    for (const struct mpi_code *other = p->codes; other; other = other->next)
        if (other != c && other->class == errorclass)
            return mpi_error(NULL, MPI_ERR_ARG, call, "class %d still has code %d", errorclass,
                             other->number);
    return mpi_code_remove(p, call, c);
}
