/* SPDX-License-Identifier: MIT */
#include "datatype/external.h"
#include "datatype/type_packed.h"

#pragma weak MPI_Pack_external_size = PMPI_Pack_external_size
#pragma weak MPI_Pack_external_size_c = PMPI_Pack_external_size_c

static int pack_size(const char *call, const char *datarep, MPI_Count incount,
                     MPI_Datatype datatype, MPI_Count *size)
{
    const struct mpi_type *t;
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    int rc = mpi_check_external(call, datarep);
    if (rc || (rc = mpi_check_out(NULL, call, size, "size")) ||
        (rc = mpi_check_type(NULL, call, datatype, &t)))
        return rc;
    return mpi_packed_size(NULL, call, incount, mpi_external_size(t), size);
}

int PMPI_Pack_external_size(const char *datarep, int incount, MPI_Datatype datatype, MPI_Aint *size)
{
    MPI_Count n;
    int rc = pack_size("MPI_Pack_external_size", datarep, incount, datatype, size ? &n : NULL);
    if (!rc)
        *size = (MPI_Aint)n;
    return rc;
}

int PMPI_Pack_external_size_c(const char *datarep, MPI_Count incount, MPI_Datatype datatype,
                              MPI_Count *size)
{
    return pack_size("MPI_Pack_external_size_c", datarep, incount, datatype, size);
}
