/* SPDX-License-Identifier: MIT */
#include "datatype/type_make.h"

#pragma weak MPI_Type_create_indexed_block = PMPI_Type_create_indexed_block
#pragma weak MPI_Type_create_indexed_block_c = PMPI_Type_create_indexed_block_c

static int indexed_block(const char *call, bool large, MPI_Count count, MPI_Count blocklength,
                         struct mpi_array displacements, MPI_Datatype oldtype,
                         MPI_Datatype *newtype)
{
    return mpi_type_blocks(call, large,
                           &(struct mpi_blocks_args){.combiner = MPI_COMBINER_INDEXED_BLOCK,
                                                     .count = count,
                                                     .length = blocklength,
                                                     .displacements = displacements,
                                                     .in_extents = true},
                           oldtype, newtype);
}

int PMPI_Type_create_indexed_block(int count, int blocklength, const int array_of_displacements[],
                                   MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return indexed_block("MPI_Type_create_indexed_block", false, count, blocklength,
                         MPI_ARRAY(array_of_displacements), oldtype, newtype);
}

int PMPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength,
                                     const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                     MPI_Datatype *newtype)
{
    return indexed_block("MPI_Type_create_indexed_block_c", true, count, blocklength,
                         MPI_ARRAY(array_of_displacements), oldtype, newtype);
}
