/* SPDX-License-Identifier: MIT */
#include "datatype/type_make.h"

#pragma weak MPI_Type_create_hindexed_block = PMPI_Type_create_hindexed_block
#pragma weak MPI_Type_create_hindexed_block_c = PMPI_Type_create_hindexed_block_c

static int hindexed_block(const char *call, bool large, MPI_Count count, MPI_Count blocklength,
                          struct mpi_array displacements, MPI_Datatype oldtype,
                          MPI_Datatype *newtype)
{
    return mpi_type_blocks(call, large,
                           &(struct mpi_blocks_args){.combiner = MPI_COMBINER_HINDEXED_BLOCK,
                                                     .count = count,
                                                     .length = blocklength,
                                                     .displacements = displacements,
                                                     .in_extents = false},
                           oldtype, newtype);
}

int PMPI_Type_create_hindexed_block(int count, int blocklength,
                                    const MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
                                    MPI_Datatype *newtype)
{
    return hindexed_block("MPI_Type_create_hindexed_block", false, count, blocklength,
                          MPI_ARRAY(array_of_displacements), oldtype, newtype);
}

int PMPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength,
                                      const MPI_Count array_of_displacements[],
                                      MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return hindexed_block("MPI_Type_create_hindexed_block_c", true, count, blocklength,
                          MPI_ARRAY(array_of_displacements), oldtype, newtype);
}
