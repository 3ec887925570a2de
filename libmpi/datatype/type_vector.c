/* SPDX-License-Identifier: MIT */
#include "datatype/type_make.h"

#pragma weak MPI_Type_vector = PMPI_Type_vector
#pragma weak MPI_Type_vector_c = PMPI_Type_vector_c

int PMPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype,
                     MPI_Datatype *newtype)
{
    return mpi_type_vector("MPI_Type_vector", false, MPI_COMBINER_VECTOR, count, blocklength,
                           stride, oldtype, newtype);
}

int PMPI_Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                       MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return mpi_type_vector("MPI_Type_vector_c", true, MPI_COMBINER_VECTOR, count, blocklength,
                           stride, oldtype, newtype);
}
