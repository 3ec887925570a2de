/* SPDX-License-Identifier: MIT */
#include "internal/type_make.h"

#pragma weak MPI_Type_create_hvector = PMPI_Type_create_hvector
#pragma weak MPI_Type_create_hvector_c = PMPI_Type_create_hvector_c

static int hvector(const char *call, bool large, MPI_Count count, MPI_Count blocklength,
                   MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct mpi_maker m;
    const struct mpi_type *old;
    struct mpi_type *made;
    int rc = mpi_maker_begin(&m, call, large, newtype);
    if (rc || (rc = mpi_maker_count(&m, count, "count")) ||
        (rc = mpi_maker_count(&m, blocklength, "blocklength")) ||
        (rc = mpi_check_type(NULL, call, oldtype, &old)))
        return rc;
    rc = mpi_make_vector(&m, MPI_COMBINER_HVECTOR, count, blocklength, stride, old, &made);
    return mpi_maker_end(rc, &made, newtype);
}

int PMPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                             MPI_Datatype *newtype)
{
    return hvector("MPI_Type_create_hvector", false, count, blocklength, stride, oldtype, newtype);
}

int PMPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                               MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return hvector("MPI_Type_create_hvector_c", true, count, blocklength, stride, oldtype, newtype);
}
