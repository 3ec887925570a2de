/* SPDX-License-Identifier: MIT */
#include "datatype/type_f90.h"

#pragma weak MPI_Type_create_f90_complex = PMPI_Type_create_f90_complex

int PMPI_Type_create_f90_complex(int p, int r, MPI_Datatype *newtype)
{
    const struct mpi_f90_kind kinds[] = {
        {6, 37, MPI_COMPLEX8}, {15, 307, MPI_COMPLEX16}, {33, 4931, MPI_COMPLEX32}};
    return mpi_type_f90("MPI_Type_create_f90_complex", MPI_COMBINER_F90_COMPLEX, p, r, kinds,
                        sizeof kinds / sizeof kinds[0], newtype);
}
