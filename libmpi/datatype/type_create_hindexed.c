/* SPDX-License-Identifier: MIT */
#include "internal/type_make.h"

#pragma weak MPI_Type_create_hindexed = PMPI_Type_create_hindexed
#pragma weak MPI_Type_create_hindexed_c = PMPI_Type_create_hindexed_c

int PMPI_Type_create_hindexed(int count, const int array_of_blocklengths[],
                              const MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
                              MPI_Datatype *newtype)
{
    return mpi_type_blocks(
        "MPI_Type_create_hindexed", false,
        &(struct mpi_blocks_args){.combiner = MPI_COMBINER_HINDEXED,
                                  .count = count,
                                  .lengths = {array_of_blocklengths, false},
                                  .displacements = {array_of_displacements, true},
                                  .in_extents = false},
        oldtype, newtype);
}

int PMPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                                const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                MPI_Datatype *newtype)
{
    return mpi_type_blocks(
        "MPI_Type_create_hindexed_c", true,
        &(struct mpi_blocks_args){.combiner = MPI_COMBINER_HINDEXED,
                                  .count = count,
                                  .lengths = {array_of_blocklengths, true},
                                  .displacements = {array_of_displacements, true},
                                  .in_extents = false},
        oldtype, newtype);
}
