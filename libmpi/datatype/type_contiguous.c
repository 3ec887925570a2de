/* SPDX-License-Identifier: MIT */
#include "datatype/type_make.h"

#pragma weak MPI_Type_contiguous = PMPI_Type_contiguous
#pragma weak MPI_Type_contiguous_c = PMPI_Type_contiguous_c

static int contiguous(const char *call, bool large, MPI_Count count, MPI_Datatype oldtype,
                      MPI_Datatype *newtype)
{
    struct mpi_maker m;
    const struct mpi_type *old;
    struct mpi_type *made;
    int rc = mpi_maker_begin(&m, call, large, newtype);
    if (rc || (rc = mpi_maker_count(&m, count, "count")) ||
        (rc = mpi_check_type(NULL, call, oldtype, &old)))
        return rc;
    rc = mpi_make_vector(&m, MPI_COMBINER_CONTIGUOUS, 1, count, 0, old, &made);
    return mpi_maker_end(rc, &made, newtype);
}

int PMPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return contiguous("MPI_Type_contiguous", false, count, oldtype, newtype);
}

int PMPI_Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return contiguous("MPI_Type_contiguous_c", true, count, oldtype, newtype);
}
