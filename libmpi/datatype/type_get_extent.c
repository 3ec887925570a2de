/* SPDX-License-Identifier: MIT */
#include "datatype/check.h"
#include "datatype/type.h"

#pragma weak MPI_Type_get_extent = PMPI_Type_get_extent
#pragma weak MPI_Type_get_extent_c = PMPI_Type_get_extent_c
#pragma weak MPI_Type_get_extent_x = PMPI_Type_get_extent_x

static int get_extent(const char *call, MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    const struct mpi_type *t;
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, lb, "lb");
    if (rc || (rc = mpi_check_out(NULL, call, extent, "extent")) ||
        (rc = mpi_check_type(NULL, call, datatype, &t)))
        return rc;
    struct mpi_bounds b = mpi_type_bounds(t);
    *lb = b.lb;
    *extent = b.extent;
    return MPI_SUCCESS;
}

int PMPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent)
{
    MPI_Count low, span;
    int rc = get_extent("MPI_Type_get_extent", datatype, lb ? &low : NULL, extent ? &span : NULL);
    if (rc)
        return rc;
    *lb = (MPI_Aint)low;
    *extent = (MPI_Aint)span;
    return MPI_SUCCESS;
}

int PMPI_Type_get_extent_c(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    return get_extent("MPI_Type_get_extent_c", datatype, lb, extent);
}

int PMPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    return get_extent("MPI_Type_get_extent_x", datatype, lb, extent);
}
