/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "datatype/check.h"
#include "datatype/type.h"

#pragma weak MPI_Type_size = PMPI_Type_size
#pragma weak MPI_Type_size_c = PMPI_Type_size_c
#pragma weak MPI_Type_size_x = PMPI_Type_size_x

static int type_size(const char *call, MPI_Datatype datatype, MPI_Count *size)
{
    const struct mpi_type *t;
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, size, "size");
    if (rc || (rc = mpi_check_type(NULL, call, datatype, &t)))
        return rc;
    *size = t->size;
    return MPI_SUCCESS;
}

int PMPI_Type_size(MPI_Datatype datatype, int *size)
{
    MPI_Count n;
    int rc = type_size("MPI_Type_size", datatype, size ? &n : NULL);
    if (!rc)
        *size = n > INT_MAX ? MPI_UNDEFINED : (int)n;
    return rc;
}

int PMPI_Type_size_c(MPI_Datatype datatype, MPI_Count *size)
{
    return type_size("MPI_Type_size_c", datatype, size);
}

int PMPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size)
{
    return type_size("MPI_Type_size_x", datatype, size);
}
