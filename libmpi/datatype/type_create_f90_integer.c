/* SPDX-License-Identifier: MIT */
#include "datatype/type_f90.h"

#pragma weak MPI_Type_create_f90_integer = PMPI_Type_create_f90_integer

int PMPI_Type_create_f90_integer(int r, MPI_Datatype *newtype)
{
    const struct mpi_f90_kind kinds[] = {{0, 2, MPI_INTEGER1},
                                         {0, 4, MPI_INTEGER2},
                                         {0, 9, MPI_INTEGER4},
                                         {0, 18, MPI_INTEGER8},
                                         {0, 38, MPI_INTEGER16}};
    return mpi_type_f90("MPI_Type_create_f90_integer", MPI_COMBINER_F90_INTEGER, MPI_UNDEFINED, r,
                        kinds, sizeof kinds / sizeof kinds[0], newtype);
}
