/* SPDX-License-Identifier: MIT */
#include "datatype/check.h"
#include "datatype/type.h"

#pragma weak MPI_Type_get_true_extent = PMPI_Type_get_true_extent
#pragma weak MPI_Type_get_true_extent_c = PMPI_Type_get_true_extent_c
#pragma weak MPI_Type_get_true_extent_x = PMPI_Type_get_true_extent_x

static int get_extent(const char *call, MPI_Datatype datatype, MPI_Count *true_lb,
                      MPI_Count *true_extent)
{
    const struct mpi_type *t;
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, true_lb, "true_lb");
    if (rc || (rc = mpi_check_out(NULL, call, true_extent, "true_extent")) ||
        (rc = mpi_check_type(NULL, call, datatype, &t)))
        return rc;
    struct mpi_bounds b = mpi_type_bounds(t);
    *true_lb = b.true_lb;
    *true_extent = b.true_extent;
    return MPI_SUCCESS;
}

int PMPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint *true_lb, MPI_Aint *true_extent)
{
    MPI_Count low, span;
    int rc = get_extent("MPI_Type_get_true_extent", datatype, true_lb ? &low : NULL,
                        true_extent ? &span : NULL);
    if (rc)
        return rc;
    *true_lb = (MPI_Aint)low;
    *true_extent = (MPI_Aint)span;
    return MPI_SUCCESS;
}

int PMPI_Type_get_true_extent_c(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent)
{
    return get_extent("MPI_Type_get_true_extent_c", datatype, true_lb, true_extent);
}

int PMPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent)
{
    return get_extent("MPI_Type_get_true_extent_x", datatype, true_lb, true_extent);
}
