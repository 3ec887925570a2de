/* SPDX-License-Identifier: MIT */
#include "internal/type_make.h"

#pragma weak MPI_Type_indexed = PMPI_Type_indexed
#pragma weak MPI_Type_indexed_c = PMPI_Type_indexed_c

int PMPI_Type_indexed(int count, const int array_of_blocklengths[],
                      const int array_of_displacements[], MPI_Datatype oldtype,
                      MPI_Datatype *newtype)
{
    return mpi_type_blocks(
        "MPI_Type_indexed", false,
        &(struct mpi_blocks_args){.combiner = MPI_COMBINER_INDEXED,
                                  .count = count,
                                  .lengths = {array_of_blocklengths, false},
                                  .displacements = {array_of_displacements, false},
                                  .in_extents = true},
        oldtype, newtype);
}

int PMPI_Type_indexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                        const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                        MPI_Datatype *newtype)
{
    return mpi_type_blocks(
        "MPI_Type_indexed_c", true,
        &(struct mpi_blocks_args){.combiner = MPI_COMBINER_INDEXED,
                                  .count = count,
                                  .lengths = {array_of_blocklengths, true},
                                  .displacements = {array_of_displacements, true},
                                  .in_extents = true},
        oldtype, newtype);
}
