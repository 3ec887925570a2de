/* SPDX-License-Identifier: MIT */
#include "datatype/type_f90.h"

#pragma weak MPI_Type_create_f90_real = PMPI_Type_create_f90_real

int PMPI_Type_create_f90_real(int p, int r, MPI_Datatype *newtype)
{
    const struct mpi_f90_kind kinds[] = {
        {6, 37, MPI_REAL4}, {15, 307, MPI_REAL8}, {33, 4931, MPI_REAL16}};
    return mpi_type_f90("MPI_Type_create_f90_real", MPI_COMBINER_F90_REAL, p, r, kinds,
                        sizeof kinds / sizeof kinds[0], newtype);
}
