/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "datatype/type_packed.h"

#pragma weak MPI_Pack_size = PMPI_Pack_size
#pragma weak MPI_Pack_size_c = PMPI_Pack_size_c

static int pack_size(const char *call, MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm,
                     MPI_Count *size)
{
    struct mpi_process *p = mpi_running(call);
    struct mpi_comm *c;
    const struct mpi_type *t;
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_out(c, call, size, "size")) ||
        (rc = mpi_check_type(c, call, datatype, &t)))
        return rc;
    return mpi_packed_size(c, call, incount, (uint64_t)t->size, size);
}

int PMPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size)
{
    MPI_Count n;
    int rc = pack_size("MPI_Pack_size", incount, datatype, comm, size ? &n : NULL);
    if (!rc)
        *size = n > INT_MAX ? MPI_UNDEFINED : (int)n;
    return rc;
}

int PMPI_Pack_size_c(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count *size)
{
    return pack_size("MPI_Pack_size_c", incount, datatype, comm, size);
}
