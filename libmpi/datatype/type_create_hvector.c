/* SPDX-License-Identifier: MIT */
#include "datatype/type_make.h"

#pragma weak MPI_Type_create_hvector = PMPI_Type_create_hvector
#pragma weak MPI_Type_create_hvector_c = PMPI_Type_create_hvector_c

int PMPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                             MPI_Datatype *newtype)
{
    return mpi_type_vector("MPI_Type_create_hvector", false, MPI_COMBINER_HVECTOR, count,
                           blocklength, stride, oldtype, newtype);
}

int PMPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                               MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return mpi_type_vector("MPI_Type_create_hvector_c", true, MPI_COMBINER_HVECTOR, count,
                           blocklength, stride, oldtype, newtype);
}
