/* SPDX-License-Identifier: MIT */
#include "datatype/type_make.h"

#pragma weak MPI_Type_create_resized = PMPI_Type_create_resized
#pragma weak MPI_Type_create_resized_c = PMPI_Type_create_resized_c

static int resized(const char *call, bool large, MPI_Datatype oldtype, MPI_Count lb,
                   MPI_Count extent, MPI_Datatype *newtype)
{
    struct mpi_maker m;
    const struct mpi_type *old;
    struct mpi_type *made;
    int rc = mpi_maker_begin(&m, call, large, newtype);
    if (rc || (rc = mpi_check_type(NULL, call, oldtype, &old)))
        return rc;
    return mpi_maker_end(mpi_make_resized(&m, old, lb, extent, &made), &made, newtype);
}

int PMPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent,
                             MPI_Datatype *newtype)
{
    return resized("MPI_Type_create_resized", false, oldtype, lb, extent, newtype);
}

int PMPI_Type_create_resized_c(MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent,
                               MPI_Datatype *newtype)
{
    return resized("MPI_Type_create_resized_c", true, oldtype, lb, extent, newtype);
}
