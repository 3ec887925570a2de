/* SPDX-License-Identifier: MIT */
#include "internal/type_make.h"

#pragma weak MPI_Type_create_hindexed_block = PMPI_Type_create_hindexed_block
#pragma weak MPI_Type_create_hindexed_block_c = PMPI_Type_create_hindexed_block_c

int PMPI_Type_create_hindexed_block(int count, int blocklength,
                                    const MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
                                    MPI_Datatype *newtype)
{
    return mpi_type_blocks(
        "MPI_Type_create_hindexed_block", false,
        &(struct mpi_blocks_args){.combiner = MPI_COMBINER_HINDEXED_BLOCK,
                                  .count = count,
                                  .length = blocklength,
                                  .displacements = {array_of_displacements, true},
                                  .in_extents = false},
        oldtype, newtype);
}

int PMPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength,
                                      const MPI_Count array_of_displacements[],
                                      MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return mpi_type_blocks(
        "MPI_Type_create_hindexed_block_c", true,
        &(struct mpi_blocks_args){.combiner = MPI_COMBINER_HINDEXED_BLOCK,
                                  .count = count,
                                  .length = blocklength,
                                  .displacements = {array_of_displacements, true},
                                  .in_extents = false},
        oldtype, newtype);
}
